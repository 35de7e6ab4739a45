import { makeWallet } from '@/devnet/client/wallet';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { mint, makePair, pay } from '@/tests/harness/use-service';
import { askFor, connect, violations, visit } from './harness/open-page';
import { expect, test } from './harness/site';

const DOLLARS = 1_000_000n;
const DONE = { name: 'Your receipt is ready' };

/** How receipts are created in the browser, and every way in which that can fail. */
test.describe('creating a receipt', () => {
  let left = '';

  test('lets a page be closed for good behind a payment', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    left = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const { page, context } = await visit(site, '/', { wallet: payer });
    await connect(page);
    await context.route(/web\.resume/, (route) => route.abort());
    await askFor(page, left);
    await page.getByText(/being confirmed/).waitFor();
    await context.close();
    // As if it had been left a while ago: the sweep lets pages that are there go on by themselves.
    await site.service.prisma.quote.updateMany({
      where: { txSignature: left },
      data: { preparedAt: new Date(Date.now() - 120_000) },
    });
  });

  test('makes a free receipt from a recent payment, with one signature and no money', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, asked, complaints, context } = await visit(site, '/', { wallet: payer });
    await connect(page);
    await page.getByRole('button', { name: /^Paid to/ }).click();
    await page.getByText(/Public and permanent/).waitFor();
    await page.getByLabel('What was it for?').fill('Coffee');
    await page.getByRole('button', { name: 'Create receipt, free' }).click();
    await page.getByRole('heading', DONE).waitFor();
    expect(asked).toEqual(['connection', 'message']);
    await page.getByRole('link', { name: 'Open the receipt' }).click();
    await page.getByRole('heading', { name: /^Receipt [0-9A-Z]{12}$/ }).waitFor();
    await expect.poll(() => page.getByText('held', { exact: true }).count()).toBe(4);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
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

  test('finds the payment of a wallet that sends by itself by its memo', async ({ site }) => {
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

  test('goes on after the page was closed behind a payment, and does not pay twice', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const { page, asked, context } = await visit(site, '/', { wallet: payer });
    await connect(page);
    // The page never learns what became of its payment.
    await context.route(/web\.resume/, (route) => route.abort());
    await askFor(page, tx);
    await page.getByText(/being confirmed/).waitFor();
    await page.close();
    await context.unroute(/web\.resume/);
    const again = await context.newPage();
    await again.goto('/');
    await again.getByRole('heading', DONE).waitFor();
    expect(asked.filter((what) => what === 'transaction')).toHaveLength(1);
    expect(await site.service.prisma.payment.count({ where: { payer: payer.address } })).toBe(1);
    await context.close();
  });

  test('says that nothing moved when the wallet turns text or payment down, and goes on', async ({
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
    await page.getByText('You turned the request down in your wallet').waitFor();
    behaviour.rejects = 'transaction';
    await page.getByRole('button', { name: /^Create receipt/ }).click();
    const banner = page.getByText('You turned the payment down in your wallet');
    await banner.waitFor();
    expect(await page.getByText(/No money moved/).isVisible()).toBe(true);
    expect(await violations(page)).toEqual([]);
    behaviour.rejects = 'nothing';
    await page.getByRole('button', { name: /^Create receipt/ }).click();
    await page.getByRole('heading', DONE).waitFor();
    await context.close();
  });

  test('tells wrong wallet and wrong network apart, before anything is signed', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const stranger = await visit(site, '/');
    await connect(stranger.page);
    await stranger.page.getByLabel('Transaction or wallet').fill(tx);
    await stranger.page.getByText('This wallet is not part of the payment').waitFor();
    expect(stranger.asked).toEqual(['connection']);
    await stranger.context.close();
    const behaviour = { chains: ['solana:mainnet'] };
    const { page, asked, context } = await visit(site, '/', { wallet: payer, behaviour });
    await connect(page);
    await askFor(page, tx);
    await page.getByText('Your wallet is on another network').waitFor();
    expect(asked).toEqual(['connection']);
    await context.close();
  });

  test('names what is missing when USDC or SOL do not suffice, and asks for no signature', async ({
    site,
  }) => {
    const { service } = site;
    const [poor, seller] = [makeWallet(), makeWallet()];
    await fundWallet(service.rpcUrl, { wallet: poor.address, sol: 1, token: 'USDC', amount: '2' });
    const tx = await pay(service, { from: poor, to: seller, amount: 2n * DOLLARS });
    const { page, asked, context } = await visit(site, '/', { wallet: poor });
    await connect(page);
    await askFor(page, tx);
    await page.getByText('Not enough USDC').waitFor();
    expect(await page.getByText(/holds 0.00 USDC/).isVisible()).toBe(true);
    expect(asked).not.toContain('transaction');
    await context.close();
    // The seller was paid USDC and never had any SOL.
    const other = await visit(site, '/', { wallet: seller });
    await connect(other.page);
    await askFor(other.page, tx);
    await other.page.getByText('Not enough SOL for the network fee').waitFor();
    expect(other.asked).not.toContain('transaction');
    await other.context.close();
  });

  test('says that the payment came too late when it cannot land any more, and takes a new one', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const { page, context } = await visit(site, '/', { wallet: payer });
    await connect(page);
    await service.fault('chain', { dropNextSends: 1_000 });
    await askFor(page, tx);
    await page.getByText(/being confirmed/).waitFor();
    // A blockhash lives 150 slots, another node may know one that is 64 later, and finality follows.
    await service.fault('chain', { advanceSlots: 300 });
    await page.getByText('The payment did not reach the chain in time').waitFor();
    await service.fault('chain', null);
    await page.getByRole('button', { name: /^Create receipt/ }).click();
    await page.getByRole('heading', DONE).waitFor();
    expect(await site.service.prisma.payment.count({ where: { payer: payer.address } })).toBe(1);
    await context.close();
  });

  test('goes to the receipt that a payment has already', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { body } = await mint(service, { signature: tx, wallet: payer });
    const { page, context } = await visit(site, `/?tx=${tx}`);
    await page.getByRole('link', { name: `Open receipt ${String(body['receipt_id'])}` }).click();
    await page.getByRole('heading', { name: `Receipt ${String(body['receipt_id'])}` }).waitFor();
    await context.close();
  });

  test('says in words that the network is down, and that no money moved', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    await service.fault('chain', { failMethods: { '*': { status: 503 } } });
    const { page, context } = await visit(site, `/?tx=${tx}`);
    await page.getByText('The Solana network cannot be reached').waitFor();
    expect(await violations(page)).toEqual([]);
    await service.fault('chain', null);
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByLabel('What was it for?').waitFor();
    await context.close();
  });

  test('has made, without the page, the receipt that it was closed behind', async ({ site }) => {
    await expect
      .poll(() => site.service.prisma.receipt.count({ where: { txSignature: left } }), {
        timeout: 90_000,
        intervals: [500],
      })
      .toBe(1);
  });
});
