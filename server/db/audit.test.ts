import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Call, OperatorActor } from '@/server/use-cases/call';
import { forgetPayer } from '@/server/use-cases/receipts/payer-country';
import { addMint } from '@/server/nft/minting.fixture';
import { releaseHeld, retryMint } from '@/server/nft/retry-mint';
import { claimPayment, releaseClaim } from '@/server/payments/claim-payment';
import { holdPayment } from '@/server/payments/hold-payment';
import { recordRefund } from '@/server/payments/record-refund';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';

const now = new Date('2026-11-28T12:00:00Z');
const PAYER = 'payer';
const ACTIONS = [
  ...['mint.retry', 'mint.release', 'payment.hold', 'payment.refund'],
  'jurisdiction.forget',
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('an action of the operator and its audit row are written in one transaction, or neither is', async () => {
  const { prisma } = database;
  const failed = await addMint(prisma, { status: 'failed', attempts: 3 });
  const waiting = await addMint(prisma);
  const payment = await addUnused();
  await recordCountry();
  const by = trusted<Omit<Call<unknown, OperatorActor>, 'input'>>(
    { service: { db: prisma, clock: { now: () => now } }, actor: { name: 'admin' } },
    'all that is read of it',
  );
  const deeds: [name: string, () => Promise<unknown>][] = [
    ['retry', () => retryMint(prisma, { id: failed.id, actor: 'admin', now })],
    ['release', () => releaseHeld(prisma, { ids: [waiting.id], actor: 'admin', now })],
    ['hold', () => holdPayment(prisma, { id: payment, isHeld: true, now })],
    [
      'refund',
      () =>
        recordRefund(prisma, {
          id: payment,
          refundSignature: 'back',
          amountMicros: 1n,
          from: 'till',
          now,
        }),
    ],
    ['forget', () => forgetPayer({ ...by, input: { wallet_address: PAYER } })],
  ];
  const before = await everything();
  await prisma.$executeRaw`alter table audit_log rename to audit_log_away`;
  for (const [name, deed] of deeds) await expect(deed(), name).rejects.toThrow();
  await prisma.$executeRaw`alter table audit_log_away rename to audit_log`;
  expect(await everything()).toEqual(before);

  const subjects = [failed.id, waiting.id, payment, payment];
  for (const [at, [name, deed]] of deeds.entries()) {
    await deed();
    const [entry] = await prisma.auditEntry.findMany({ orderBy: { id: 'desc' }, take: 1 });
    expect([entry?.action, entry?.actor]).toEqual([ACTIONS[at], 'admin']);
    const subject = subjects[at];
    if (subject) expect(await writers(subject, entry?.id ?? 0n), name).toHaveLength(1);
  }
});

/** Transactions that wrote a mint or payment last, and its audit row. */
function writers(subject: string, entry: bigint): Promise<object[]> {
  return database.prisma.$queryRaw`
    select xmin::text from mints where id = ${subject}
    union select xmin::text from payments where id = ${subject}
    union select xmin::text from audit_log where id = ${entry}`;
}

async function everything() {
  const { prisma } = database;
  return {
    mints: await prisma.mint.findMany({ orderBy: { id: 'asc' } }),
    payments: await prisma.payment.findMany(),
    countries: await prisma.payerJurisdiction.findMany(),
  };
}

async function addUnused(): Promise<string> {
  const claim = await claimPayment(database.prisma, {
    id: 'PAY1',
    dialect: 'documented',
    name: { signature: 'sig' },
    payer: PAYER,
    payTo: 'till',
    amountMicros: 1n,
    priceMicros: 1n,
    quoteId: null,
    requestSha256: 'this',
    slot: 5n,
    blockTime: now,
    holder: 'request',
    now,
  });
  if (!claim) throw new Error('the payment was not claimed');
  await releaseClaim(database.prisma, claim, { reason: 'late', now });
  return claim.id;
}

async function recordCountry(): Promise<void> {
  await database.prisma.payerJurisdiction.create({
    data: {
      receiptId: 'A',
      payer: PAYER,
      seller: 'S',
      country: 'FI',
      method: 'ip_geolocation',
      databaseDate: now,
      recordedAt: now,
      usdMicros: 1n,
      blockTime: now,
    },
  });
}
