import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { TOKENS } from '@/devnet/client/pay-token';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { payParts } from './harness/pay-parts';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { signIn } from './harness/use-dashboard';
import { mintPaid, offerOf, payOffer } from './harness/use-payments';
import { askStatement, awaitFinal, buy, makeAgent } from './harness/use-statements';
import { call, mint } from './harness/use-service';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

const row = z.looseObject({
  tx_signature: z.string(),
  leg: z.number(),
  role: z.enum(['payer', 'seller']),
  counterparty: z.string(),
  token: z.string(),
  amount_raw: z.string(),
  amount_sent_raw: z.string(),
  fee_withheld_raw: z.string(),
  receipt_id: z.string().nullable(),
});
const rowsOf = (body: Record<string, unknown>) => z.array(row).parse(body['transactions']);
const brief = (body: Record<string, unknown>) =>
  rowsOf(body).map((one) => [
    ...[one.leg, one.role, one.counterparty, one.token],
    ...[one.amount_raw, one.amount_sent_raw, one.fee_withheld_raw],
  ]);

async function exportOf(wallet: string, query: Record<string, string>) {
  const search = new URLSearchParams(query).toString();
  const response = await fetch(`${service.baseUrl}/wallet/${wallet}/export?${search}`);
  expect(response.status).toBe(200);
  const rows: unknown = parse(await response.text(), { columns: true, record_delimiter: '\r\n' });
  return z.array(z.record(z.string(), z.string())).parse(rows);
}

describe('a payment in a token that withholds a fee, with a cut for a marketplace', () => {
  let payer: Wallet;
  let seller: Wallet;
  let market: Wallet;
  let signature: string;
  let receiptId: string;

  beforeAll(async () => {
    [payer, seller, market] = [await makeAgent(service), makeWallet(), makeWallet()];
    await fundWallet(service.rpcUrl, { wallet: payer.address, token: 'PYUSD', amount: '10' });
    const transferFee = (basisPoints: number) =>
      service.fault('chain', { transferFee: { mint: TOKENS.PYUSD.mint, basisPoints } });
    await transferFee(400);
    // The seller got 80 % of the amount sent, and 79.3 % of it after the withheld fee.
    signature = await payParts(service, payer, [
      { token: 'PYUSD', to: seller, amount: 800_000n },
      { token: 'USDC', to: market, amount: 200_000n },
    ]);
    await transferFee(0);
    await awaitFinal(service, [signature]);
  });

  it('is verified and receipted with the sent, the received and the withheld amount', async () => {
    const { body } = await call(service, `/verify/${signature}`);
    expect(body['transaction']).toMatchObject({
      sender: payer.address,
      receiver: seller.address,
      token: 'PYUSD',
      amount: 0.768,
      amount_raw: '768000',
      amount_sent_raw: '800000',
      fee_withheld: 0.032,
      fee_withheld_raw: '32000',
      other_legs: [{ owner: market.address, amount_raw: '200000' }],
    });
    const minted = await mint(service, { signature, wallet: payer });
    expect(minted.status, JSON.stringify(minted.body)).toBe(200);
    receiptId = String(minted.body['receipt_id']);
    const receipt = await call(service, `/receipt/${receiptId}`);
    expect(receipt.body).toMatchObject({
      amount: 0.768,
      amount_raw: '768000',
      fee_withheld: 0.032,
      fee_withheld_raw: '32000',
      other_legs: [{ owner: market.address, amount_raw: '200000' }],
    });
    const stored = await service.prisma.receipt.findUniqueOrThrow({ where: { id: receiptId } });
    expect([stored.amountRaw, stored.amountSentRaw, stored.feeWithheldRaw]).toEqual([
      ...[768_000n, 800_000n, 32_000n],
    ]);
  });

  it('is in the export of all three, and in the books as the amount that left the payer', async () => {
    const columns = ['receipt_id', 'direction', 'counterparty', 'token'] as const;
    const amounts = ['amount', 'amount_sent', 'fee_withheld'] as const;
    const briefOf = async (wallet: Wallet) =>
      (await exportOf(wallet.address, { format: 'csv' })).map((one) =>
        [...columns, ...amounts].map((column) => one[column]),
      );
    expect(await briefOf(payer)).toEqual([
      [receiptId, 'sent', seller.address, 'PYUSD', '0.768', '0.8', '0.032'],
      [receiptId, 'sent', market.address, 'USDC', '0.2', '0.2', '0'],
    ]);
    expect(await briefOf(seller)).toEqual([
      [receiptId, 'received', payer.address, 'PYUSD', '0.768', '0.8', '0.032'],
    ]);
    expect(await briefOf(market)).toEqual([
      [receiptId, 'received', payer.address, 'USDC', '0.2', '0.2', '0'],
    ]);
    const booked = async (wallet: Wallet, format: string) =>
      (await exportOf(wallet.address, { format, country: 'US' })).map(
        (one) => one['*Amount'] ?? one['Amount'],
      );
    for (const format of ['xero', 'quickbooks']) {
      expect(await booked(payer, format)).toEqual(['-0.80', '-0.20']);
      expect(await booked(seller, format)).toEqual(['0.77']);
    }
    expect(await exportOf(payer.address, { format: 'koinly' })).toMatchObject([
      { 'Sent Amount': '0.768', 'Fee Amount': '0.032', 'Fee Currency': 'PYUSD' },
      { 'Sent Amount': '0.2', 'Fee Amount': '' },
    ]);
  });

  it('is listed leg by leg in the statement, and each leg can be proven', async () => {
    const asked = { wallet_address: payer.address, transactions: [signature] };
    const { answer } = await buy(service, { from: payer, body: asked });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const rows = brief(answer.body).toSorted((a, b) => String(a[3]).localeCompare(String(b[3])));
    expect(rows.map(([, ...rest]) => rest)).toEqual([
      ['payer', seller.address, 'PYUSD', '768000', '800000', '32000'],
      ['payer', market.address, 'USDC', '200000', '200000', '0'],
    ]);
    expect(answer.body['summary']).toMatchObject({
      tx_count: 1,
      row_count: 2,
      by_token: { PYUSD: 0.768, USDC: 0.2 },
    });
    expect(rowsOf(answer.body).map((one) => one.receipt_id)).toEqual([receiptId, receiptId]);
    const id = String(answer.body['statement_id']);
    const path = `/statement/${id}/proof/${signature}`;
    for (const one of rowsOf(answer.body)) {
      const proof = await call(service, `${path}?leg=${one.leg}`);
      expect([proof.status, proof.body['row']]).toEqual([200, one]);
      expect(proof.body['merkle_root']).toBe(answer.body['merkle_root']);
    }
    expect((await call(service, path)).body['row']).toEqual(rowsOf(answer.body)[0]);
    expect((await call(service, `${path}?leg=7`)).status).toBe(404);
    expect((await call(service, `${path}?leg=x`)).status).toBe(400);
  });
});

describe('a batch payout in equal parts', () => {
  it('is refused as a receipt, and is in the statement and the listing of every party', async () => {
    const payer = await makeAgent(service);
    const [one, two] = [await makeAgent(service), makeWallet()];
    const signature = await payParts(service, payer, [
      { token: 'USDC', to: one, amount: 2_000_000n },
      { token: 'USDC', to: two, amount: 2_000_000n },
    ]);
    // /verify refuses the payout, so wait for a later transaction to be final.
    const later = await payParts(service, payer, [{ token: 'USDC', to: makeWallet(), amount: 1n }]);
    await awaitFinal(service, [later]);
    const minted = await mint(service, { signature, wallet: payer });
    expect([minted.status, minted.body['code']]).toEqual([400, 'several_sellers']);

    for (const receiver of [one, two]) {
      const query = `counterparty=${receiver.address}`;
      const { body } = await call(service, `/wallet/${payer.address}/receipts?${query}`);
      expect(body['sent']).toMatchObject({
        count: 1,
        total_usdc_raw: '2000000',
        transfers: [{ tx_signature: signature, amount_raw: '2000000', receipt_id: null }],
      });
    }

    const body = { wallet_address: one.address, transactions: [signature] };
    const { answer } = await buy(service, { from: one, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(brief(answer.body).map(([, ...rest]) => rest)).toEqual([
      ['seller', payer.address, 'USDC', '2000000', '2000000', '0'],
    ]);
    const offer = await askStatement(service, {
      wallet_address: payer.address,
      transactions: [signature],
    });
    expect([offer.status, offer.body]).toMatchObject([402, { tx_count: 1, row_count: 2 }]);
  });
});

describe('the dashboard over 10 USDC in two legs and a batch payout', () => {
  it('has the totals of the statement of the same payments, for every party', async () => {
    const payer = await makeAgent(service);
    const [seller, market, staff] = [await makeAgent(service), makeWallet(), makeWallet()];
    const sale = await payParts(service, payer, [
      { token: 'USDC', to: seller, amount: 8_500_000n },
      { token: 'USDC', to: market, amount: 1_500_000n },
    ]);
    const payout = await payParts(service, payer, [
      { token: 'USDC', to: seller, amount: 2_000_000n },
      { token: 'USDC', to: staff, amount: 2_000_000n },
    ]);
    const fee = await payOffer(service, {
      from: payer,
      offer: offerOf(await mint(service, { signature: sale })),
    });
    const minted = await mintPaid(service, { signature: sale, payment: fee });
    expect(minted.status, JSON.stringify(minted.body)).toBe(200);
    await awaitFinal(service, [sale, fee]);

    for (const [wallet, role, rowCount] of [
      [payer, 'payer', 4],
      [seller, 'seller', 2],
    ] as const) {
      const body = { wallet_address: wallet.address, transactions: [sale, payout] };
      const { answer } = await buy(service, { from: wallet, body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const { summary } = statementTotals.parse(answer.body);
      const browser = await signIn(service, wallet);
      const filter = { first_day: '2020-01-01', last_day: '2099-12-31', role };
      const totals = dashboardTotals.parse(await browser.query('dashboard.totals', filter));
      expect([summary.tx_count, summary.row_count]).toEqual([2, rowCount]);
      expect([totals.count, totals.row_count]).toEqual([2, rowCount]);
      expect(Number(totals.usd_amount)).toBe(summary.total_usd);
      // Months add up to the whole. Months without payments are in the list, too.
      const sumOf = (name: 'count' | 'row_count' | 'usd_amount') =>
        totals.by_month.reduce((sum, month) => sum + Number(month[name]), 0);
      expect([sumOf('count'), sumOf('row_count')]).toEqual([2, rowCount]);
      expect(sumOf('usd_amount')).toBeCloseTo(Number(totals.usd_amount), 6);
      expect(totals.by_month.some(({ count }) => count === 0)).toBe(true);
      expect(totals.by_token.map(({ token, amount }) => [token, Number(amount)])).toEqual(
        Object.entries(summary.by_token),
      );
      const listed = dashboardRows.parse(await browser.query('dashboard.rows', filter)).rows;
      const inStatement = rowsOf(answer.body).map((one) => [
        ...[one.tx_signature, one.counterparty, one.receipt_id],
        Number(one.amount_raw) / 1_000_000,
      ]);
      const inDashboard = listed.map((one) => [
        ...[one.tx_signature, one.counterparty, one.receipt_id, Number(one.amount)],
      ]);
      expect(inDashboard.toSorted()).toEqual(inStatement.toSorted());
      const csv = await browser.get(
        `/dashboard/receipts.csv?${new URLSearchParams(filter).toString()}`,
      );
      const lines: unknown = parse(await csv.text(), { columns: true, record_delimiter: '\r\n' });
      expect(lines).toHaveLength(rowCount);
    }
    const asMarket = await signIn(service, market);
    expect(
      await asMarket.query('dashboard.totals', {
        first_day: '2020-01-01',
        last_day: '2099-12-31',
        role: 'seller',
      }),
    ).toMatchObject({ count: 1, row_count: 1, usd_amount: '1.5' });
  });
});

const statementTotals = z.object({
  summary: z.object({
    tx_count: z.number(),
    row_count: z.number(),
    total_usd: z.number(),
    by_token: z.record(z.string(), z.number()),
  }),
});
const dashboardTotals = z.object({
  count: z.number(),
  row_count: z.number(),
  usd_amount: z.string(),
  by_month: z.array(z.object({ count: z.number(), row_count: z.number(), usd_amount: z.string() })),
  by_token: z.array(z.object({ token: z.string(), amount: z.string() })),
});
const dashboardRows = z.object({
  rows: z.array(
    z.object({
      tx_signature: z.string(),
      counterparty: z.string(),
      amount: z.string(),
      receipt_id: z.string().nullable(),
    }),
  ),
});

describe('an export during an outage of the rate sources', () => {
  it('is a 503 in every layout with local money, and complete in the others', async () => {
    const payer = await makeAgent(service);
    const seller = makeWallet();
    const signature = await payParts(service, payer, [
      { token: 'USDC', to: seller, amount: 250_000n },
    ]);
    expect((await mint(service, { signature, wallet: payer })).status).toBe(200);
    await service.prisma.rate.deleteMany({ where: { quote: 'PLN' } });
    await service.fault('rates', { down: true });
    try {
      const ask = (format: string) =>
        fetch(`${service.baseUrl}/wallet/${payer.address}/export?country=PL&format=${format}`);
      for (const format of ['json', 'csv', 'koinly', 'xero', 'quickbooks']) {
        const response = await ask(format);
        expect([format, response.status]).toEqual([format, 503]);
        expect(response.headers.get('retry-after')).not.toBeNull();
        const body = z.looseObject({ code: z.string() }).parse(await response.json());
        expect(body.code).toBe('rates_unavailable');
      }
      for (const format of ['cointracker', 'coinledger', 'rotki'])
        expect([format, (await ask(format)).status]).toEqual([format, 200]);
    } finally {
      await service.fault('rates', null);
    }
    expect((await exportOf(payer.address, { country: 'PL', format: 'csv' })).length).toBe(1);
  });
});
