import type { Page } from '@playwright/test';
import { mint, makePair, pay } from '@/tests/harness/use-service';
import { installMobileWallet } from './harness/mobile-wallet';
import { overflow, violations, visit, type Site } from './harness/open-page';
import { expect, test } from './harness/site';

const DOLLARS = 1_000_000n;
const ANDROID = 'Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/150.0 Mobile Safari/537.36';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/605';
const DONE = { name: 'Your receipt is ready' };

/** The wallet apps of phones. */
test.describe('on a phone', () => {
  test('makes a receipt with a wallet app on Android, over its protocol on the phone itself', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, complaints, context } = await visitOnAndroid(site, tx);
    const app = await installMobileWallet(page, { wallet: payer, rpcUrl: service.rpcUrl });
    await chooseApp(page);
    await page.getByLabel(`Connected wallet ${payer.address}`).waitFor();
    // The adapter has the name of a protocol, which says nothing to a reader.
    expect(await page.getByText('Mobile Wallet Adapter').count()).toBe(0);
    await expect.poll(() => [...app.asked].sort()).toEqual(['authorize', 'get_capabilities']);
    await create(page);
    await openApp(page);
    await page.getByRole('heading', DONE).waitFor();
    expect(app.asked.filter((method) => method === 'sign_messages')).toHaveLength(1);
    app.close();
    // Allowed complaints: the fonts and inline styles of the library's windows, which the policy
    // refuses, and the test's missing handler of its links.
    const known = /fonts\.g|inline style|solana-wallet|registered handler/;
    expect(complaints.filter((words) => !known.test(words))).toEqual([]);
    await context.close();
  });

  for (const sends of [false, true])
    test(`pays the fee once with a wallet app that ${sends ? 'only signs and sends' : 'signs'}`, async ({
      site,
    }) => {
      const { service } = site;
      const { payer, seller } = await makePair(service);
      const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
      const { page, context } = await visitOnAndroid(site, tx);
      const { rpcUrl } = service;
      const app = await installMobileWallet(page, { wallet: payer, rpcUrl, sends });
      await chooseApp(page);
      await create(page);
      await openApp(page);
      await expect.poll(() => app.asked).toContain('sign_messages');
      // Back from the app, the browser opens it for the payment at another press alone.
      await openApp(page);
      await page.getByRole('heading', DONE).waitFor();
      const wanted = sends ? 'sign_and_send_transactions' : 'sign_transactions';
      expect(app.asked.filter((method) => /transactions$/.test(method))).toEqual([wanted]);
      const quote = await service.prisma.quote.findFirstOrThrow({ where: { txSignature: tx } });
      expect(quote.paymentHint === null).toBe(sends);
      const payments = await service.prisma.payment.findMany({ where: { payer: payer.address } });
      expect(payments).toMatchObject([{ quoteId: quote.id, state: 'used' }]);
      app.close();
      await context.close();
    });

  test('says that no wallet app is there, or that the browser keeps the page from it', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, context } = await visitOnAndroid(site, tx);
    await chooseApp(page);
    await page.getByText('No wallet app that works with this browser was found').first().waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await context.close();
    const kept = await visit(site, `/?tx=${tx}`, { touch: ANDROID });
    // This grants one permission and denies all others.
    await kept.context.grantPermissions(['clipboard-read']);
    await chooseApp(kept.page);
    await kept.page.getByText('This browser does not let the page talk to apps').first().waitFor();
    expect(await kept.page.getByText(/You rejected|Mobile Wallet Adapter/).count()).toBe(0);
    await kept.context.close();
  });

  test('takes the payment and what was typed along into a wallet app on iPhone', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, context } = await visit(site, `/?tx=${tx}`, { touch: IPHONE });
    await page.getByLabel('What was it for?').fill('Coffee & cake');
    await page.getByLabel('Invoice number').fill('INV-7');
    await page.getByRole('button', { name: /^Connect wallet to create/ }).click();
    const app = page.getByRole('link', { name: 'Open in Phantom' });
    await app.waitFor();
    const target = async () => {
      const { pathname } = new URL((await app.getAttribute('href')) ?? '');
      return new URL(decodeURIComponent(pathname.split('/').at(-1) ?? ''));
    };
    const taken = async () => [...(await target()).searchParams];
    const typed = [
      ['tx', tx],
      ['for', 'Coffee & cake'],
      ['invoice', 'INV-7'],
    ];
    await expect.poll(taken).toEqual(typed);
    // The links follow the address, which has the labels a moment after they were typed.
    await page.evaluate(() => history.replaceState(null, '', `${location.href}&kind=sale`));
    await expect.poll(taken).toEqual([...typed, ['kind', 'sale']]);
    const there = await target();
    await page.goto(`${there.pathname}${there.search}`);
    await expect(page.getByLabel('What was it for?')).toHaveValue('Coffee & cake');
    await expect(page.getByLabel('Invoice number')).toHaveValue('INV-7');
    // A wallet that was pasted goes along, too.
    await page.getByLabel('Which payment?').fill(seller.address);
    await page.getByRole('button', { name: /^From / }).waitFor();
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await app.waitFor();
    const ofSeller = encodeURIComponent(`/?of=${seller.address}`);
    await expect.poll(() => app.getAttribute('href')).toContain(ofSeller);
    await context.close();
  });

  test('opens the existing receipt of a payment', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { body } = await mint(service, { signature: tx, wallet: payer });
    const { page, context } = await visit(site, `/?tx=${tx}`, { touch: IPHONE });
    // On a phone without a wallet in its browser, apps come first, and their links keep the
    // payment.
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    const app = page.getByRole('list', { name: 'Wallet apps' }).getByRole('link');
    await app.first().waitFor();
    await expect(app).toHaveText(['Open in Phantom', 'Open in Solflare', 'Open in Backpack']);
    const ofPayment = encodeURIComponent(`/?tx=${tx}`);
    await expect.poll(() => app.first().getAttribute('href')).toContain(ofPayment);
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: `Open receipt ${String(body['receipt_id'])}` }).click();
    await page.getByRole('heading', { name: `Receipt ${String(body['receipt_id'])}` }).waitFor();
    await context.close();
  });
});

async function visitOnAndroid(site: Site, tx: string) {
  const visited = await visit(site, `/?tx=${tx}`, { touch: ANDROID });
  await visited.context.grantPermissions(['local-network-access']);
  return visited;
}

async function chooseApp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet', exact: true }).click();
  await page.getByRole('button', { name: 'Use a wallet app on this phone' }).click();
}

// A computer has no app for `solana-wallet:`. Chromium shows this in a window that takes all keys
// and taps, so these presses go to the page itself.

async function create(page: Page): Promise<void> {
  await page.getByLabel('What was it for?').fill('Coffee');
  await page.getByRole('button', { name: /^Create receipt/ }).dispatchEvent('click');
}

async function openApp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open the wallet app' }).dispatchEvent('click');
}
