import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Env } from '@/server/env';
import { randomIds } from '@/server/ids';
import { makeKey } from '@/server/receipts/evidence.fixture';
import { trusted } from '@/server/trusted';
import { findStatement } from './find-statement';
import { loadRows } from './stored-rows';
import { makeRow, makeRows, WALLET } from './list.fixture';
import { drawHere } from '@quittance/verify/images/draw-sheet';
import { prepareStatement, writeStatement } from './write-statement';
import { csvSha256, writeCsv } from '@quittance/verify/statements/write-csv';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const service = {
  env: trusted<Env>(
    {
      network: 'local',
      publicUrl: 'https://receipts.example',
      serviceName: 'quittance',
      storage: makeKey(),
      storageGatewayUrl: 'https://gateway.example',
    },
    'what preparing a statement reads',
  ),
  ids: randomIds,
  clock: { now: () => new Date('2026-11-28T12:00:00.000Z') },
  draw: drawHere,
};
const period = { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2026-02-01T00:00:00Z') };
const list = {
  mode: 'scan' as const,
  period,
  minMicros: 10_000n,
  complete: true,
  rows: [],
  skipped: { below_min_usd: ['dust'] },
  changes: null,
};

it('keeps 5,000 rows exactly, so that the CSV made of them has the hash in the NFT for ever', async () => {
  const rows = makeRows(5_000);
  rows[7] = makeRow(7, {
    mint: null,
    token: 'SOL',
    decimals: 9,
    dtifCode: null,
    valuation: 'market',
    amountRaw: 9_007_199_254_740_993n,
    amountSentRaw: 9_007_199_254_740_993n,
    receiptId: '7K3MQ9XW2ABC',
    labels: {
      serviceType: '=cmd|"x"',
      transactionType: 'sale, two',
      invoiceId: '-1',
      metadataUri: 'https://gateway.example/x',
    },
  });
  const prepared = await prepareStatement(service, { wallet: WALLET, list, rows });
  const { statementId, csvSha256: promised } = prepared.facts;
  await database.prisma.$transaction(
    (tx) => writeStatement(tx, { prepared, paymentSignature: 'paid' }),
    { timeout: 90_000 },
  );
  const { statement, mint } = await findStatement(database.prisma, statementId);
  expect(mint).toMatchObject({
    kind: 'statement',
    owner: WALLET,
    name: `TEST CHAIN ${statementId}`,
    status: 'pending',
    transactionSignature: null,
    paymentSignature: 'paid',
    paid: true,
  });
  expect(statement).toMatchObject({ txCount: 5_000, skipped: list.skipped });
  const kept = await loadRows(database.prisma, statementId);
  expect(kept).toEqual(rows);
  expect(csvSha256(writeCsv(WALLET, kept))).toBe(promised);
});
