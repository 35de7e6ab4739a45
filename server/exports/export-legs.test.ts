import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { exportReceipts, type ExportFormatName } from './export-receipts';
import { fillReceipts } from './receipts.fixture';

const [PAYER, SHOP, MARKET, OTHER] = ['Payer', 'Shop', 'Market', 'Zother'];
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await fillReceipts(database.prisma, { wallet: OTHER, other: 'Y', count: 1 });
  // 10 USDC, of which the shop got 8.5 and the marketplace 1.5, 0.1 of that withheld. The shop also
  // got SOL at a frozen price, and a token without value.
  const legs = [
    { owner: MARKET, amount: '1400000', amountSent: '1500000' },
    { owner: SHOP, amount: '500000000', mint: null, decimals: 9 },
    { owner: SHOP, amount: '77', mint: BONK, decimals: 5 },
  ];
  const price = { mint: null, usd_per_unit: '150.5', basis: 'market', source: 'a test' };
  const beside = { prices: [price] };
  await database.prisma.$executeRaw`
    insert into receipts (id, tx_signature, payer, seller, mint, token_program, token, dtif_code,
      decimals, amount_raw, amount_sent_raw, fee_withheld_raw, other_legs, beside, usd_micros,
      valuation, slot, block_time, service_type, invoice_id, reported_by, metadata_item_id,
      image_item_id, created_at)
    select 'L00000000001', 'split', ${PAYER}, ${SHOP}, mint, token_program, token, dtif_code,
      decimals, 8500000, 8500000, 0, ${JSON.stringify(legs)}::jsonb, ${JSON.stringify(beside)}::jsonb,
      8500000, valuation, slot, block_time, service_type, 'INV-7', reported_by, metadata_item_id,
      image_item_id, created_at
      from receipts where id = 'Z00000000000'`;
  await database.prisma.$executeRaw`
    insert into mints (id, kind, owner, name, metadata_uri, metadata_item_id, image_item_id, status,
      stage, redrive_at, created_at, updated_at, asset_id, completed_at, final_at)
    select 'L00000000001', kind, owner, name, metadata_uri, metadata_item_id, image_item_id, status,
      stage, redrive_at, created_at, updated_at, asset_id, completed_at, final_at
      from mints where id = 'Z00000000000'`;
});
afterAll(() => database.close());

async function rowsOf(wallet: string, format: ExportFormatName = 'csv') {
  const context = {
    db: database.prisma,
    clock: { now: () => new Date('2026-01-01T00:00:00.000Z') },
    env: trusted<Env>({ network: 'local' }, 'US dollars ask no source'),
  };
  let text = '';
  for await (const piece of await exportReceipts(context, { wallet, country: 'US', format }))
    text += piece;
  const rows: unknown = parse(text, { columns: true, record_delimiter: '\r\n' });
  return z.array(z.record(z.string(), z.string())).parse(rows);
}
const brief = (rows: Record<string, string>[]) =>
  rows.map((row) => [
    ...[row['receipt_id'], row['direction'], row['counterparty'], row['token'], row['amount']],
    ...[row['amount_sent'], row['fee_withheld'], row['usd_amount'], row['local_amount']],
  ]);

describe('the further legs of a receipt', () => {
  it('are rows of their payer with the id of the receipt, and add up to what left it', async () => {
    const rows = await rowsOf(PAYER);
    expect(brief(rows)).toEqual([
      ['L00000000001', 'sent', SHOP, 'USDC', '8.5', '8.5', '0', '8.5', '8.50'],
      ['L00000000001', 'sent', MARKET, 'USDC', '1.4', '1.5', '0.1', '1.4', '1.40'],
      ['L00000000001', 'sent', SHOP, 'SOL', '0.5', '0.5', '0', '75.25', '75.25'],
      ['L00000000001', 'sent', SHOP, 'BONK', '0.00077', '0.00077', '0', '', ''],
    ]);
    for (const row of rows) expect([row['payer'], row['invoice_id']]).toEqual([PAYER, 'INV-7']);
  });

  it('are rows of the wallet that got them, which sees no other', async () => {
    expect(brief(await rowsOf(MARKET))).toEqual([
      ['L00000000001', 'received', PAYER, 'USDC', '1.4', '1.5', '0.1', '1.4', '1.40'],
    ]);
    expect((await rowsOf(SHOP)).map((row) => [row['token'], row['amount']])).toEqual([
      ['USDC', '8.5'],
      ['SOL', '0.5'],
      ['BONK', '0.00077'],
    ]);
  });

  it('are lines of a bank statement: the payer books what left it, the receiver what came', async () => {
    const amounts = async (wallet: string) =>
      (await rowsOf(wallet, 'quickbooks')).map((row) => row['Amount']);
    expect((await amounts(PAYER)).slice(0, 3)).toEqual(['-8.50', '-1.50', '-75.25']);
    expect(await amounts(MARKET)).toEqual(['1.40']);
  });

  it('are gone with a receipt that is released', async () => {
    await database.prisma.$executeRaw`update receipts set released_at = now()
      where id = 'L00000000001'`;
    expect(await rowsOf(MARKET)).toEqual([]);
  });
});
