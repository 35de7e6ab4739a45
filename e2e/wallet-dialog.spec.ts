import type { Page } from '@playwright/test';
import { makeWallet } from '@/devnet/client/wallet';
import { LANGUAGES } from '@/i18n/locales';
import { makePair, pay } from '@/tests/harness/use-service';
import { loseCode } from './harness/lose-code';
import { connect, overflow, reopenIn, violations, visit } from './harness/open-page';
import { focused, listen } from './harness/read-aloud';
import { expect, test } from './harness/site';
import { installSlowWallet } from './harness/slow-wallet';
import { textsIn } from './harness/texts-in';

/** The dialog that connects a wallet, and what becomes of the connection. */
test.describe('the dialog of wallets', () => {
  test('fits phones in each language', async ({ site }) => {
    const { page, context } = await visit(site, '/', { phone: true });
    for (const language of LANGUAGES) {
      const t = textsIn(language);
      await reopenIn(page, language);
      await page.getByRole('button', { name: t('wallet.connect'), exact: true }).click();
      await page
        .getByRole('dialog', { name: t('wallet.dialog') })
        .getByText('Test Wallet')
        .waitFor();
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        expect([language, width, await overflow(page)]).toEqual([language, width, 0]);
        const button = page.getByRole('button', { name: t('wallet.more') });
        await button.scrollIntoViewIfNeeded();
        expect((await button.boundingBox())?.x ?? -1).toBeGreaterThanOrEqual(0);
      }
      expect([language, await violations(page)]).toEqual([language, []]);
    }
    await context.close();
  });

  test('ends each wait in words: after two minutes, and where the choice is lost', async ({
    site,
  }) => {
    const { page, context, behaviour } = await visit(site, 'about:blank');
    await installSlowWallet(context);
    await page.clock.install();
    await page.goto('/');
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    behaviour.ignores = 'connection';
    const now = () => page.evaluate(() => Date.now());
    const began = await now();
    await page.getByRole('button', { name: 'Test Wallet' }).click();
    await page
      .getByText('Waiting for Test Wallet. Approve the connection there.')
      .first()
      .waitFor();
    // The clock also runs between the calls.
    await page.clock.fastForward(115_000 - ((await now()) - began));
    expect(await page.getByText(/did not answer/).count()).toBe(0);
    await page.clock.fastForward(30_000);
    await page.getByText('Test Wallet did not answer within two minutes').first().waitFor();
    await expect
      .poll(() => focused(page))
      .toContain('group | No wallet is connected | Test Wallet did not');
    // The late "no" of one wallet takes the choice of another one back.
    await page.getByRole('button', { name: 'Slow Wallet' }).click();
    await page.getByText('Waiting for Slow Wallet').first().waitFor();
    behaviour.rejects = 'connection';
    behaviour.ignores = 'nothing';
    await page.getByText('Slow Wallet was not connected. Try again.').first().waitFor();
    await expect
      .poll(() => focused(page))
      .toContain('group | No wallet is connected | Slow Wallet was not');
    await context.close();
  });

  test('says that further wallets did not load, or that there are none', async ({ site }) => {
    const { page, context } = await visit(site, '/');
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    const more = page.getByRole('button', { name: 'Show more wallets' });
    await more.waitFor();
    const giveBack = await loseCode(page, 'https://ledger.com');
    await more.click();
    await page.getByText('The other wallets did not load').first().waitFor();
    await expect.poll(() => focused(page)).toContain('group | The other wallets did not load');
    await giveBack();
    await more.click();
    await page.getByRole('button', { name: 'Ledger' }).waitFor();
    const list = page.getByRole('list', { name: 'Wallets', exact: true });
    await expect(list.getByRole('button')).toHaveText(['Test Wallet', 'Ledger']);
    await context.close();
    // A browser without HID has no way to a Ledger.
    const other = await visit(site, 'about:blank');
    await other.context.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'hid', { value: undefined });
    });
    await other.page.goto('/');
    await other.page.getByRole('button', { name: 'Connect wallet' }).click();
    await other.page.getByRole('button', { name: 'Show more wallets' }).click();
    await other.page.getByText('No further wallets work with this browser.').first().waitFor();
    await other.context.close();
  });

  test('is not needed again for a wallet that was only locked at the last visit', async ({
    site,
  }) => {
    const { page, asked, silent, behaviour, context } = await visit(site, '/');
    await connect(page);
    await page.addInitScript(countForgotten);
    behaviour.isLocked = true;
    const before = silent.length;
    await page.reload();
    await expect.poll(() => silent.length).toBeGreaterThan(before);
    const open = page.getByRole('button', { name: 'Connect wallet' });
    await open.waitFor();
    // The library forgets it some renders after the wallet answered, and the page keeps its name.
    await page.waitForFunction(() => Reflect.get(window, '__forgotten') > 0);
    await expect.poll(() => remembered(page)).toBe('"Test Wallet"');
    behaviour.isLocked = false;
    await page.reload();
    const { heard } = await listen(page);
    const disconnect = page.getByRole('button', { name: 'Disconnect' });
    await disconnect.waitFor();
    expect(asked).toEqual(['connection']);
    // Its owner's word is the end of it, which is said.
    await disconnect.click();
    await expect.poll(heard).toContain('Test Wallet is disconnected');
    await page.reload();
    await open.waitFor();
    await page.waitForTimeout(1_000);
    expect(await remembered(page)).toBeNull();
    await context.close();
  });

  test('offers another wallet where the account was switched between text and payment', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2_000_000n });
    const { page, asked, switchTo, context } = await visit(site, `/?tx=${tx}&for=Audit`, {
      wallet: payer,
    });
    await connect(page);
    await context.route(/web\.prepare/, async (route) => {
      await switchTo(page, makeWallet());
      await route.continue();
    });
    await page.getByRole('button', { name: /^Create receipt/ }).click();
    await page.getByText('The wallet is on another account now').first().waitFor();
    await page.getByText('Nothing was signed. No money moved.').first().waitFor();
    expect(asked).toEqual(['connection', 'message']);
    await page.getByRole('button', { name: 'Use another wallet' }).click();
    await page.getByRole('button', { name: 'Connect wallet', exact: true }).waitFor();
    await context.close();
  });
});

/** The stored name of the connected wallet, as JSON. */
const remembered = (page: Page) => page.evaluate(() => localStorage.getItem('quittance-wallet'));

/** Runs in the page: counts in `__forgotten` how often the stored name was deleted. */
function countForgotten(): void {
  Reflect.set(window, '__forgotten', 0);
  const remove = Storage.prototype.removeItem;
  Storage.prototype.removeItem = function (key) {
    remove.call(this, key);
    if (key === 'quittance-wallet')
      Reflect.set(window, '__forgotten', Number(Reflect.get(window, '__forgotten')) + 1);
  };
}
