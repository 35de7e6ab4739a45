import { makeWallet } from '@/devnet/client/wallet';
import { makePair, mint, pay } from '@/tests/harness/use-service';
import { connectByEar, hearPage, type Reader } from './harness/hear-page';
import { visit } from './harness/open-page';
import { expect, test } from './harness/site';

const DOLLARS = 1_000_000n;
/** The verdict of a page that opens with one: read with the page, and announced when it changes. */
const VERDICT = /^Verdict: /;

/** The fault of an entry, which is read with its field when the field takes the focus. */
const REFUSED = 'Links aren’t allowed here.';

const missedOf = (reader: Reader) =>
  reader.missed().filter((words) => !VERDICT.test(words) && words !== REFUSED);

/**
 * Creating a receipt with keys and a screen reader alone. Every part is found in Chromium's
 * accessibility tree.
 */
test.describe('creating a receipt with a screen reader', () => {
  test('a free receipt is found, signed for and made, and each step is announced', async ({
    site,
  }) => {
    const { payer, seller } = await makePair(site.service);
    await pay(site.service, { from: payer, to: seller, amount: 250_000n });
    const { page, context } = await visit(site, '/', { wallet: payer });
    const reader = await hearPage(page);
    await connectByEar(reader);
    await reader.hears('2 payments to choose from');
    await reader.press('button', /^Paid to/);
    await reader.hears(/^Payment found: 0\.25 USDC to /);
    await expect.poll(reader.focus).toBe('region | The payment');
    await reader.write('What was it for?', 'https://link.example');
    await reader.press('button', 'Create receipt, free');
    await expect.poll(reader.focus).toBe('textbox | What was it for? | Links aren’t allowed here.');
    await reader.write('What was it for?', 'Coffee');
    await reader.press('button', 'Create receipt, free');
    await reader.hears('Verifying your wallet. Approve the message in your wallet.');
    await reader.hears(/^Waiting for Test Wallet/);
    await reader.hears('Your receipt is ready.');
    await expect.poll(reader.focus).toBe('heading | Your receipt is ready');
    await reader.press('link', 'Open the receipt');
    await reader.find('heading', /^Receipt [0-9A-Z]{12}$/);
    await reader.hears(/^Verdict: Genuine /);
    expect(missedOf(reader)).toEqual([]);
    await context.close();
  });

  test('the fee, its approval, its confirmation and the receipt are each announced', async ({
    site,
  }) => {
    const { payer, seller } = await makePair(site.service);
    const tx = await pay(site.service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const { page, context } = await visit(site, `/?tx=${tx}`, { wallet: payer });
    const reader = await hearPage(page);
    await reader.hears(/^Payment found: 2\.00 USDC to /);
    // Behind a dialog nothing is heard, so what loads slowly is announced in it.
    let letPass = () => {};
    const passes = new Promise<void>((resolve) => (letPass = resolve));
    await page.route('**/_next/static/chunks/**', async (route) => {
      await passes;
      await route.continue();
    });
    await reader.press('button', 'Connect wallet');
    await reader.hears('Searching for wallets');
    letPass();
    await page.unrouteAll({ behavior: 'wait' });
    await reader.press('button', 'Test Wallet');
    await reader.hears(/^Connected wallet: Test Wallet /);
    await reader.write('What was it for?', 'API access, March');
    await reader.press('button', 'Create receipt, 0.10 USDC');
    await reader.hears('Verifying your wallet. Approve the message in your wallet.');
    await reader.hears('Paying the fee. Approve the payment in your wallet.');
    await reader.hears(/^Paying the fee\. Your payment was sent and is being confirmed/);
    await reader.hears('Your receipt is ready.');
    await expect.poll(reader.focus).toBe('heading | Your receipt is ready');
    expect(missedOf(reader)).toEqual([]);
    await context.close();
  });

  test('a wallet outside of the payment, an existing receipt, a token and a refused fee are announced', async ({
    site,
  }) => {
    const { payer, seller } = await makePair(site.service);
    const open = await pay(site.service, { from: payer, to: seller, amount: 250_000n });
    const done = await pay(site.service, { from: payer, to: seller, amount: 260_000n });
    await mint(site.service, { signature: done, wallet: payer });
    const { page, context } = await visit(site, '/', { wallet: makeWallet() });
    const reader = await hearPage(page);
    await reader.write('Which payment?', done);
    await reader.hears(/^This payment has a receipt: Each payment has one receipt/);
    const heard = await reader.heard();
    const found = heard.findIndex((words) => words.startsWith('Payment found: 0.26 USDC'));
    const has = heard.findIndex((words) => words.startsWith('This payment has a receipt'));
    expect([found >= 0, has > found]).toEqual([true, true]);
    await reader.write('Which payment?', open);
    await reader.find('button', 'Connect wallet to create it, free');
    await connectByEar(reader, 'Connect wallet to create it, free');
    await reader.hears(/^This wallet is not part of the payment: .*No money moved/);
    for (const [from, to, words] of [
      ['"price_raw":"0"', '"price_raw":null', /^No receipt can be made for this token: Receipts/],
      ['"closed":null', '"closed":"PAY_TO"', /^Fees cannot be paid at the moment: .*PAY_TO/],
    ] as const) {
      await page.route(/web\.preview/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replace(from, to) });
      });
      await page.goto(`/?tx=${open}`);
      await reader.hears(words);
      await page.unroute(/web\.preview/);
    }
    expect(missedOf(reader)).toEqual([]);
    await context.close();
  });

  test('a name without a wallet is announced, and a repeated failure takes the focus', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, context } = await visit(site, '/', { wallet: payer });
    const reader = await hearPage(page);
    await reader.write('Which payment?', 'alice.sol');
    await reader.hears(/^This network has no names: alice\.sol cannot be looked up here/);
    await service.fault('chain', { failMethods: { '*': { status: 503 } } });
    await reader.write('Which payment?', tx);
    await reader.hears('The Solana network cannot be reached');
    await reader.press('button', 'Try again');
    await expect
      .poll(reader.focus, { timeout: 90_000 })
      .toMatch(/^group \| The Solana network cannot be reached \| /);
    await service.fault('chain', null);
    await reader.press('button', 'Try again');
    await reader.hears(/^Payment found: 0\.25 USDC to /);
    await expect.poll(reader.focus).not.toBe('');
    expect(missedOf(reader)).toEqual([]);
    await context.close();
  });
});
