import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseCsv } from '@quittance/verify/csv';
import { setPrivateLabel } from '@/server/dashboard/page-rows';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Call, SessionActor } from '../call';
import { writeDashboardCsv } from './write-dashboard-csv';

const [WALLET, OTHER] = ['Awallet', 'Bwallet'];
/** More than one page of the file. */
const COUNT = 1_200;
const now = new Date('2026-11-28T12:00:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await fillReceipts(database.prisma, { wallet: WALLET, other: OTHER, count: COUNT });
  for (const [wallet, label] of [
    [WALLET, '=HYPERLINK("x")'],
    [OTHER, 'note of the other'],
  ] as const)
    for (const receiptId of ['A00000000001', 'A00000000002'])
      await setPrivateLabel(database.prisma, { wallet, receiptId, label, now });
  for (const [receiptId, payer, seller] of [
    ['A00000000001', OTHER, WALLET],
    ['A00000000002', WALLET, OTHER],
  ] as const)
    await database.prisma.payerJurisdiction.create({
      data: {
        receiptId,
        payer,
        seller,
        country: 'FI',
        method: 'ip_geolocation',
        databaseDate: now,
        recordedAt: now,
        usdMicros: 1n,
        blockTime: now,
      },
    });
});
afterAll(() => database.close());

async function rowsOf(wallet: string, role: 'seller' | 'payer') {
  const by = trusted<Omit<Call<unknown, SessionActor>, 'input'>>(
    {
      service: { db: database.prisma, env: { network: 'local' }, clock: { now: () => now } },
      actor: { kind: 'session', wallet },
    },
    'all that the file is made of: US dollars ask no source',
  );
  let text = '';
  const period = { first_day: '2025-01-01', last_day: '2025-12-31' };
  const input = { ...period, role, country: 'US' };
  for await (const piece of await writeDashboardCsv({ ...by, input })) text += piece;
  const [header = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [header[i] ?? '', cell])));
}

it('has every receipt of the side once, over many pages', async () => {
  const ids = (await rowsOf(WALLET, 'seller')).map((row) => row['receipt_id']);
  expect([ids.length, new Set(ids).size]).toEqual([COUNT / 2, COUNT / 2]);
  expect(await rowsOf('Cwallet', 'seller')).toEqual([]);
});

it('has the notes of the wallet alone, and none that a spreadsheet runs', async () => {
  const notesOf = async (wallet: string, role: 'seller' | 'payer') =>
    (await rowsOf(wallet, role)).map((row) => row['private_label']).filter((note) => note !== '');
  expect(await notesOf(WALLET, 'seller')).toEqual([`'=HYPERLINK("x")`]);
  expect(await notesOf(OTHER, 'payer')).toEqual(['note of the other']);
});

it('has the country of the payer for the seller, and not even its column for the payer', async () => {
  const [seen] = (await rowsOf(WALLET, 'seller')).filter((row) => row['payer_country'] !== '');
  expect(seen).toMatchObject({
    receipt_id: 'A00000000001',
    payer_country: 'FI',
    payer_country_basis: 'ip_geolocation',
  });
  const paid = await rowsOf(WALLET, 'payer');
  expect(paid).toHaveLength(COUNT / 2);
  expect(Object.keys(paid[0] ?? {}).at(-1)).toBe('private_label');
  expect(JSON.stringify(paid)).not.toContain('FI');
});

it('is refused before its first byte while the rates are away', async () => {
  const nowhere = 'http://127.0.0.1:1';
  const rates = { name: 'first', url: nowhere, datedName: 'second', datedUrl: nowhere };
  const by = trusted<Omit<Call<unknown, SessionActor>, 'input'>>(
    {
      actor: { kind: 'session', wallet: WALLET },
      service: {
        db: database.prisma,
        clock: { now: () => now },
        env: { network: 'local', rates: { ...rates, solName: 'sol', solUrl: nowhere } },
      },
    },
    'all that the file is made of',
  );
  const period = { first_day: '2025-01-01', last_day: '2025-12-31' };
  await expect(
    writeDashboardCsv({ ...by, input: { ...period, role: 'seller', country: 'DE' } }),
  ).rejects.toMatchObject({ code: 'rates_unavailable', status: 503 });
});
