import { makeWallet } from '@/devnet/client/wallet';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { runCron } from '@/tests/harness/use-dashboard';
import { makePair, pay } from '@/tests/harness/use-service';
import { loseCode } from './harness/lose-code';
import { nameWallets } from './harness/name-wallets';
import { askFor, connect, overflow, violations, visit } from './harness/open-page';
import { focused, listen } from './harness/read-aloud';
import { expect, test } from './harness/site';

const DOLLARS = 1_000_000n;
const DONE = { name: 'Your receipt is ready' };

/** Creating receipts in the browser, and every way in which that can fail. */
test.describe('creating a receipt', () => {
  test('completes the receipt of a payment whose page was closed before it existed', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const left = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const { page, context } = await visit(site, '/', { wallet: payer });
    await connect(page);
    await context.route(/web\.resume/, (route) => route.abort());
    await askFor(page, left);
    await page
      .getByText(/being confirmed/)
      .first()
      .waitFor();
    await context.close();
    // Moves the order into the past, because the sweep leaves orders of open pages to their pages.
    await site.service.prisma.quote.updateMany({
      where: { txSignature: left },
      data: { preparedAt: new Date(Date.now() - 120_000) },
    });
    // Without the page.
    await expect
      .poll(
        async () => {
          await runCron(service, 'sweep-quotes');
          return service.prisma.receipt.count({ where: { txSignature: left } });
        },
        { timeout: 120_000, intervals: [500] },
      )
      .toBe(1);
  });

  test('makes a free receipt from a recent payment, with one signature and no money', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, asked, complaints, context } = await visit(site, '/', { wallet: payer });
    const { heard } = await listen(page);
    const field = page.getByLabel('Which payment?');
    await field.fill('5'.repeat(87));
    await page.getByText('We couldn’t find this transaction').first().waitFor();
    await field.fill('Alice.sol');
    await page.getByText('alice.sol cannot be looked up here').first().waitFor();
    await nameWallets(context, payer.address);
    await field.fill('bob.sol');
    await page.getByText(payer.address, { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Paid to/ }).waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await field.fill('');
    await connect(page);
    await expect.poll(() => focused(page)).toContain('Connected wallet');
    await page.getByRole('button', { name: /^Paid to/ }).click();
    await page.getByText(/Public and permanent/).waitFor();
    // The payment is in the address: "Back" leads to the choice, and a reload and a wallet app keep
    // it.
    await expect.poll(() => focused(page)).toBe('region | The payment');
    await expect(page).toHaveURL(/\/\?tx=[1-9A-Za-z]{80,88}$/);
    await page.goBack();
    // The link of this page in the header does the same.
    await page.getByRole('button', { name: /^Paid to/ }).click();
    await page.getByText(/Public and permanent/).waitFor();
    await page.getByRole('link', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: /^Paid to/ }).click();
    await page.getByLabel('What was it for?').fill('https://link.example');
    await page.getByRole('button', { name: 'Create receipt, free' }).click();
    const refused = 'textbox | What was it for? | Links aren’t allowed here.';
    await expect.poll(() => focused(page)).toBe(refused);
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('What was it for?').fill('Coffee');
    await page.getByRole('button', { name: 'Create receipt, free' }).click();
    await page.getByRole('heading', DONE).waitFor();
    await expect.poll(() => focused(page)).toBe('heading | Your receipt is ready');
    await expect.poll(async () => (await heard()).at(-1)).toBe('Your receipt is ready.');
    const said = await heard();
    expect(said).toContain('We couldn’t find this transaction');
    expect(said).toContain('2 payments to choose from');
    expect(said).toContainEqual(expect.stringMatching(/^Connected wallet: Test Wallet /));
    expect(said).toContainEqual(expect.stringMatching(/^Payment found: 0\.25 USDC to /));
    expect(said).toContain('Verifying your wallet. Approve the message in your wallet.');
    expect(said).toContainEqual(expect.stringContaining('Waiting for Test Wallet'));
    expect(asked).toEqual(['connection', 'message']);
    await page.getByRole('link', { name: 'Open the receipt' }).click();
    await page.getByRole('heading', { name: /^Receipt [0-9A-Z]{12}$/ }).waitFor();
    // The proof may still be under way.
    await expect(page.getByText('Verified', { exact: true })).toHaveCount(4, { timeout: 90_000 });
    expect(await violations(page)).toEqual([]);
    // The unknown payment and the refused label.
    expect(complaints.filter((words) => !/status of 4\d\d/.test(words))).toEqual([]);
    await context.close();
  });

  test('takes the fee for a larger payment once, by its memo, and makes the receipt', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 25n * DOLLARS });
    const { page, asked, context } = await visit(site, '/', { wallet: payer });
    await connect(page);
    await askFor(page, tx);
    await page.getByRole('heading', DONE).waitFor();
    expect(asked).toEqual(['connection', 'message', 'transaction']);
    const quote = await site.service.prisma.quote.findFirstOrThrow({ where: { txSignature: tx } });
    const payments = await site.service.prisma.payment.findMany({
      where: { payer: payer.address },
    });
    expect(payments).toMatchObject([{ quoteId: quote.id, state: 'used', amountMicros: 100_000n }]);
    expect(payments[0]?.signature).toBe(quote.paymentHint);
    await context.close();
  });

  test('finds the payment of a wallet that sends its payments itself by the memo', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const behaviour = { sendsItself: true };
    const { page, context } = await visit(site, '/', { wallet: payer, behaviour });
    await connect(page);
    await askFor(page, tx);
    await page.getByRole('heading', DONE).waitFor();
    const quote = await site.service.prisma.quote.findFirstOrThrow({ where: { txSignature: tx } });
    expect(quote.paymentHint).toBeNull();
    expect(
      await site.service.prisma.payment.count({ where: { quoteId: quote.id, state: 'used' } }),
    ).toBe(1);
    await context.close();
  });

  test('resumes after the page was closed during a payment, and does not pay twice', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const { page, asked, context } = await visit(site, '/', { wallet: payer });
    await connect(page);
    // The page never gets the result of its payment.
    await context.route(/web\.resume/, (route) => route.abort());
    await askFor(page, tx);
    await page
      .getByText(/being confirmed/)
      .first()
      .waitFor();
    await page.close();
    await context.unroute(/web\.resume/);
    const again = await context.newPage();
    // The code of the steps loads later. If it does not arrive, the order waits for the next visit.
    const giveBack = await loseCode(again, 'onUnderway');
    await again.goto('/');
    await again.getByText('Something failed on this page').first().waitFor();
    await giveBack();
    await again.reload();
    await again.getByRole('heading', DONE).waitFor();
    expect(asked.filter((what) => what === 'transaction')).toHaveLength(1);
    expect(await site.service.prisma.payment.count({ where: { payer: payer.address } })).toBe(1);
    await context.close();
  });

  test('says that no money moved when the wallet rejects text or payment, and continues', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const { page, behaviour, context } = await visit(site, '/', {
      wallet: payer,
      behaviour: { rejects: 'message' },
    });
    await connect(page);
    await askFor(page, tx);
    await page.getByText('You rejected the request in your wallet').first().waitFor();
    const words = 'group | You rejected the request in your wallet | We need your signature';
    await expect.poll(() => focused(page)).toContain(words);
    behaviour.rejects = 'nothing';
    // The reader can always end the wait for a silent wallet.
    behaviour.ignores = 'message';
    await page.getByRole('button', { name: /^Create receipt/ }).click();
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await page.getByText('You stopped waiting for the wallet').first().waitFor();
    await expect.poll(() => focused(page)).toContain('group | You stopped waiting for the wallet');
    behaviour.ignores = 'nothing';
    behaviour.rejects = 'transaction';
    await page.getByRole('button', { name: /^Create receipt/ }).click();
    const banner = page.getByText('You rejected the payment in your wallet');
    await banner.waitFor();
    await expect(page.getByText(/No money moved/)).toBeVisible();
    await expect
      .poll(() => focused(page))
      .toContain('group | You rejected the payment in your wallet');
    expect(await violations(page)).toEqual([]);
    behaviour.rejects = 'nothing';
    await page.getByRole('button', { name: /^Create receipt/ }).click();
    await page.getByRole('heading', DONE).waitFor();
    await context.close();
  });

  test('names the missing amount when USDC or SOL are too low, and asks for no signature', async ({
    site,
  }) => {
    const { service } = site;
    const [poor, seller] = [makeWallet(), makeWallet()];
    await fundWallet(service.rpcUrl, { wallet: poor.address, sol: 1, token: 'USDC', amount: '2' });
    const tx = await pay(service, { from: poor, to: seller, amount: 2n * DOLLARS });
    const { page, asked, context } = await visit(site, '/', { wallet: poor });
    await connect(page);
    await askFor(page, tx);
    await page.getByText('Not enough USDC').first().waitFor();
    await expect(page.getByText(/holds 0.00 USDC/)).toBeVisible();
    expect(asked).not.toContain('transaction');
    await context.close();
    // The seller was paid USDC and never had any SOL.
    const other = await visit(site, '/', { wallet: seller });
    await connect(other.page);
    await askFor(other.page, tx);
    await other.page.getByText('Not enough SOL for the network fee').first().waitFor();
    expect(other.asked).not.toContain('transaction');
    await other.context.close();
  });

  test('says that the payment came too late when it can no longer land, and accepts a new one', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const { page, context } = await visit(site, '/', { wallet: payer });
    await connect(page);
    await service.fault('chain', { dropNextSends: 1_000 });
    await askFor(page, tx);
    await page
      .getByText(/being confirmed/)
      .first()
      .waitFor();
    // A blockhash lives 150 slots, another node may know one that is 64 later, and then comes
    // finality.
    await service.fault('chain', { advanceSlots: 300 });
    await page.getByText('The payment did not reach Solana in time').first().waitFor();
    await service.fault('chain', null);
    await page.getByRole('button', { name: /^Create receipt/ }).click();
    await page.getByRole('heading', DONE).waitFor();
    expect(await site.service.prisma.payment.count({ where: { payer: payer.address } })).toBe(1);
    await context.close();
  });

  test('says in words that the network is down, and that no money moved', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    await service.fault('chain', { failMethods: { '*': { status: 503 } } });
    const { page, context } = await visit(site, `/?tx=${tx}`);
    await page.getByText('The Solana network cannot be reached').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await service.fault('chain', null);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('What was it for?').waitFor();
    await context.close();
  });
});
