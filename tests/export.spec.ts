import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { call, makePair, mint, pay } from './harness/use-service';

let service: TestService;
let payer: Wallet;
let seller: Wallet;
const ids: string[] = [];

beforeAll(async () => {
  service = await sharedService();
  ({ payer, seller } = await makePair(service));
  for (const [amount, label] of [
    [250_000n, '=SUM(A1)'],
    [999_999n, 'Zugang, "Süd"'],
  ] as const) {
    const signature = await pay(service, { from: payer, to: seller, amount });
    const body = { service_type: label, invoice_id: 'INV-7' };
    const answer = await mint(service, { signature, wallet: payer, body });
    expect(answer.status).toBe(200);
    ids.push(String(answer.body['receipt_id']));
  }
});

const open = (wallet: string, query: Record<string, string>) =>
  fetch(`${service.baseUrl}/wallet/${wallet}/export?${new URLSearchParams(query).toString()}`);
async function csvOf(wallet: string, query: Record<string, string>) {
  const response = await open(wallet, { format: 'csv', ...query });
  expect(response.status).toBe(200);
  const text = await response.text();
  const rows: unknown = parse(text, { columns: true, record_delimiter: '\r\n' });
  return z.array(z.record(z.string(), z.string())).parse(rows);
}
const exported = z.strictObject({
  success: z.literal(true),
  wallet: z.string(),
  country: z.string(),
  receipts: z.array(z.record(z.string(), z.unknown())),
});

describe('GET /wallet/{address}/export', () => {
  it('gives JSON in dollars by default, with the figures of the receipts', async () => {
    const response = await open(payer.address, {});
    expect(response.headers.get('content-type')).toContain('application/json');
    const body = exported.parse(await response.json());
    expect(body).toMatchObject({ wallet: payer.address, country: 'US' });
    expect(body.receipts.map((one) => one['receipt_id'])).toEqual(ids);
    for (const one of body.receipts) {
      const { body: receipt } = await call(service, `/receipt/${String(one['receipt_id'])}`);
      for (const field of [
        'amount',
        'amount_raw',
        'usd_amount',
        'mint',
        'dtif_code',
        'service_type',
      ])
        expect(one[field], field).toEqual(receipt[field]);
      expect(one).toMatchObject({
        local_currency: 'USD',
        local_amount: Math.round(Number(receipt['amount']) * 100) / 100,
        exchange_rate: 1,
        rate_source: 'identity',
        direction: 'sent',
        counterparty: seller.address,
        block_time_utc: receipt['block_time'],
      });
    }
  });

  it('gives the seller the same receipts as received, and takes the currency in upper or lower case', async () => {
    const response = await open(seller.address, { format: 'csv', country: 'ae' });
    expect(response.headers.get('content-type')).toContain('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain(`${seller.address}.csv`);
    expect(response.headers.get('x-request-id')).not.toBeNull();
    await response.text();
    const rows = await csvOf(seller.address, { country: 'ae' });
    expect(rows.map((row) => [row['receipt_id'], row['direction'], row['counterparty']])).toEqual(
      ids.map((id) => [id, 'received', payer.address]),
    );
    expect(rows.map((row) => [row['amount'], row['local_amount'], row['service_type']])).toEqual([
      ['0.25', '0.92', "'=SUM(A1)"],
      ['0.999999', '3.67', 'Zugang, "Süd"'],
    ]);
    expect(rows[0]).toMatchObject({ local_currency: 'AED', rate_source: 'AED peg 3.6725' });
  });

  it.each(['koinly', 'cointracker', 'coinledger', 'rotki', 'xero', 'quickbooks'])(
    'gives a file for %s with a row for each receipt',
    async (format) => {
      expect(await csvOf(payer.address, { format, country: 'US' })).toHaveLength(ids.length);
    },
  );

  it('never says where a payer is', async () => {
    const text = (await (await open(seller.address, {})).text()).toLowerCase();
    expect(text).not.toMatch(/jurisdiction|ip_address|payer_country/);
  });

  it('of a wallet without receipts is a file without rows', async () => {
    const nobody = makeWallet().address;
    expect(exported.parse(await (await open(nobody, {})).json()).receipts).toEqual([]);
    expect(await (await open(nobody, { format: 'quickbooks' })).text()).toBe(
      'Date,Description,Amount\r\n',
    );
  });

  it('still serves others when a client stops reading its export, and survives its disconnect', async () => {
    await fillReceipts(service.prisma, { wallet: 'Zwallet', other: 'Yother', count: 20_000 });
    await service.prisma.$executeRaw`update receipts set payer = ${seller.address}
      where payer = 'Zwallet'`;
    const abort = new AbortController();
    const slow = await fetch(`${service.baseUrl}/wallet/${seller.address}/export?format=csv`, {
      signal: abort.signal,
    });
    const reader = slow.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    expect(await csvOf(payer.address, {})).toHaveLength(ids.length);
    abort.abort();
    await expect(reader?.read()).rejects.toThrow();
    expect(await csvOf(seller.address, {})).toHaveLength(10_000 + ids.length);
  });

  it.each([
    ['a country that is not supported', { country: 'XX' }, 'unsupported_country', /US, GB, EU, DE/],
    ['an empty country', { country: '' }, 'unsupported_country', /US, GB/],
    ['an unknown format', { format: 'xlsx' }, 'invalid_request', /json, csv, koinly/],
    ['an unknown parameter', { counrty: 'DE' }, 'invalid_request', /counrty/],
  ])('refuses %s', async (_, query, code, words) => {
    const response = await open(payer.address, query as Record<string, string>);
    expect(response.status).toBe(400);
    const body = z.object({ code: z.string(), error: z.string() }).parse(await response.json());
    expect(body.code).toBe(code);
    expect(body.error).toMatch(words);
  });

  it('refuses an invalid address', async () => {
    expect((await open('nobody', {})).status).toBe(400);
  });
});
