import type { BrowserContext, Page } from '@playwright/test';
import { THEME_COOKIE } from '@/components/theme';
import { LANGUAGE_COOKIE, LANGUAGES, type Language } from '@/i18n/locales';
import de from '@/messages/de/crash.json' with { type: 'json' };
import en from '@/messages/en/crash.json' with { type: 'json' };
import es from '@/messages/es/crash.json' with { type: 'json' };
import ja from '@/messages/ja/crash.json' with { type: 'json' };
import frameDe from '@/messages/de/frame.json' with { type: 'json' };
import frameJa from '@/messages/ja/frame.json' with { type: 'json' };
import { freshReceipt, makePair, pay } from '@/tests/harness/use-service';
import { loseCode } from './harness/lose-code';
import { connect, overflow, violations, visit } from './harness/open-page';
import { focused } from './harness/read-aloud';
import { expect, test } from './harness/site';

const TEXTS: Record<Language, typeof en> = { en, de, es, ja };

/** Pages whose code fails, or does not arrive completely. */
test.describe('a page that lacks its code', () => {
  test('says in the reader’s language that its frame failed, and offers a way to continue', async ({
    site,
  }) => {
    const { page, context } = await visit(site, '/terms', { phone: true });
    for (const language of LANGUAGES) {
      const theme = language === 'de' || language === 'ja' ? 'dark' : 'light';
      await choose(context, page, { [LANGUAGE_COOKIE]: language, [THEME_COOKIE]: theme });
      const breaking = await page.addInitScript(() => {
        // The frame of every page watches the focus.
        Reflect.set(window, 'MutationObserver', null);
      });
      await page.goto('/terms');
      const words = TEXTS[language];
      await page.getByRole('heading', { name: words.title, exact: true }).waitFor();
      await expect.poll(() => focused(page)).toBe(`heading | ${words.title}`);
      await expect(page).toHaveTitle(`${words.title} · Quittance`);
      await page.locator(`html[lang="${language}"][dir="ltr"][data-theme="${theme}"]`).waitFor();
      await page.getByText(words.kept, { exact: true }).waitFor();
      const paper = theme === 'dark' ? 'rgb(16, 18, 22)' : 'rgb(250, 250, 247)';
      await expect(page.locator('body')).toHaveCSS('background-color', paper);
      expect([language, await violations(page), await overflow(page)]).toEqual([language, [], 0]);
      await breaking.dispose();
      await page.getByRole('button', { name: words.reload }).click();
      await page.locator('#content h1').waitFor();
      expect(new URL(page.url()).pathname).toBe('/terms');
    }
    await context.close();
  });

  test('says so when the code of its frame does not arrive, and starts when it does', async ({
    site,
  }) => {
    const { page, context } = await visit(site, '/terms', { phone: true, dark: true });
    for (const [language, { lost: said }] of [
      ['de', frameDe],
      ['ja', frameJa],
    ] as const) {
      await choose(context, page, { [LANGUAGE_COOKIE]: language });
      const giveBack = await loseCode(context, 'needs the WalletHost');
      await page.goto('/?tx=3');
      const words = TEXTS[language];
      const lost = page.getByRole('alert').filter({ hasText: said.text });
      await lost.getByText(said.title).waitFor();
      expect([language, await violations(page), await overflow(page)]).toEqual([language, [], 0]);
      await giveBack();
      await lost.getByRole('link', { name: words.reload }).click();
      await page.locator('#lost-code').waitFor({ state: 'detached' });
      await expect(page.getByText(said.title)).toHaveCount(0);
      expect(new URL(page.url()).search).toBe('?tx=3');
    }
    await context.close();
  });

  test('asks the server again after a failure there, and shows what it then answers', async ({
    site,
  }) => {
    const { service } = site;
    const { id } = await freshReceipt(service);
    const { otherLegs } = await service.prisma.receipt.findUniqueOrThrow({ where: { id } });
    // No page can be made of this.
    await service.prisma.receipt.update({ where: { id }, data: { otherLegs: 'broken' } });
    const { page, context } = await visit(site, `/r/${id}`, { phone: true });
    await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
    await page.getByText('If it keeps failing, send this number').waitFor();
    await expect(page).toHaveTitle('This page could not be shown · Quittance');
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await service.prisma.receipt.update({ where: { id }, data: { otherLegs: otherLegs ?? [] } });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: id }).waitFor();
    await context.close();
  });

  test('stays unchanged when the wallets did not load, and loads them at the next try', async ({
    site,
  }) => {
    const { page, asked, context } = await visit(site, '/');
    const giveBack = await loseCode(context, 'solana-wallet:');
    await page.getByLabel('Which payment?').fill('3');
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await page.getByText('The wallets did not load').first().waitFor();
    await expect
      .poll(() => focused(page))
      .toContain('group | No wallet is connected | The wallets did not');
    expect(await violations(page)).toEqual([]);
    await giveBack();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Test Wallet' }).click();
    await page.getByRole('button', { name: 'Disconnect' }).waitFor();
    await expect(page.getByLabel('Which payment?')).toHaveValue('3');
    expect(asked).toEqual(['connection']);
    await context.close();
  });

  test('says in plain words that the code of an order did not load, and loads it at the next press', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, asked, context } = await visit(site, '/terms', { wallet: payer });
    const giveBack = await loseCode(context, 'rejected_proof');
    await page.goto(`/?tx=${tx}`);
    await connect(page);
    await page.getByLabel('What was it for?').fill('API access');
    const create = page.getByRole('button', { name: /^Create receipt/ });
    await create.click();
    await page.getByText('The service did not answer. Check your connection').first().waitFor();
    expect(await page.getByText('chunk').count()).toBe(0);
    expect(asked).toEqual(['connection']);
    await giveBack();
    await create.click();
    await expect.poll(() => asked).toEqual(['connection', 'message']);
    await context.close();
  });

  test('stays as it is when the service does not answer a switch of the language', async ({
    site,
  }) => {
    const { page, context } = await visit(site, '/?of=bob');
    const german = page.getByRole('button', { name: 'Deutsch' });
    await page.getByLabel('Which payment?').fill('half a signature');
    await context.setOffline(true);
    await german.click();
    await page.getByRole('alert').filter({ hasText: 'The service did not answer' }).waitFor();
    await expect(page.getByLabel('Which payment?')).toHaveValue('half a signature');
    await context.setOffline(false);
    await german.click();
    await page.locator('html[lang="de"]').waitFor();
    await context.close();
  });

  test('stays as it is when the service does not answer at the end of a mint', async ({ site }) => {
    const { service } = site;
    await service.fault('storage', { down: true });
    const { id } = await freshReceipt(service);
    const { page, context } = await visit(site, `/r/${id}`);
    const verdict = page.getByRole('heading', { name: 'Verdict: Being recorded on Solana' });
    await verdict.waitFor();
    // The end of the mint arrives, and nothing after it.
    let lost = 0;
    const place = new RegExp(`/r/${id}`);
    await page.route(place, (route) => {
      lost += 1;
      return route.abort();
    });
    await service.fault('storage', null);
    await expect.poll(() => lost, { timeout: 60_000 }).toBeGreaterThan(1);
    expect(await verdict.isVisible()).toBe(true);
    await page.unroute(place);
    await page.getByRole('heading', { name: 'Verdict: Genuine' }).waitFor();
    await context.close();
  });
});

async function choose(
  context: BrowserContext,
  page: Page,
  cookies: Record<string, string>,
): Promise<void> {
  const url = new URL('/', page.url()).href;
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })));
}
