import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { databaseNow } from '@/server/db/database-clock';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { findArrived, listUnpresented } from './find-arrived';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { prisma } = database;
  await prisma.ledgerEntry.deleteMany();
  await prisma.ledgerRefund.deleteMany();
  await prisma.ledgerHold.deleteMany();
  await prisma.payment.deleteMany();
});

const at = new Date(Date.UTC(2026, 10, 29));
const entry = (signature: string, o: object = {}) => ({
  signature,
  account: 'till USDC',
  wallet: 'till',
  mint: 'm',
  token: 'USDC',
  decimals: 6,
  direction: 'in' as const,
  amountRaw: 5_000_000n,
  beforeRaw: 0n,
  afterRaw: 5_000_000n,
  memos: [],
  parties: [{ owner: 'payer', amount: '5000000' }],
  slot: 10n,
  blockTime: at,
  createdAt: at,
  ...o,
});
const put = (...data: ReturnType<typeof entry>[]) =>
  database.prisma.ledgerEntry.createMany({ data });
const list = (cursor: string | null = null) => listUnpresented(database.prisma, { cursor });
const refund = (paymentSignature: string, amountRaw: bigint) =>
  database.prisma.ledgerRefund.create({
    data: {
      refundSignature: `r${amountRaw}`,
      paymentSignature,
      token: 'USDC',
      amountRaw,
      fromWallet: 'till',
      fromLedger: true,
      recordedAt: at,
    },
  });

it('lists what arrived and nobody presented, with what is left of it', async () => {
  await put(
    entry('a'),
    entry('b', { slot: 9n, token: 'SOL', mint: null, decimals: 9, account: 'till' }),
    entry('sent', { direction: 'out', beforeRaw: 5_000_000n, afterRaw: 0n }),
    entry('moved', { purpose: 'internal' }),
    entry('named', { direction: 'none', amountRaw: 0n, afterRaw: 0n }),
    entry('presented'),
    entry('returned'),
  );
  await database.prisma.payment.create({
    data: {
      id: 'P',
      dialect: 'documented',
      signature: 'presented',
      payTo: 'till',
      state: 'unused',
      requestSha256: 'r',
      createdAt: at,
      updatedAt: at,
    },
  });
  await refund('a', 1_000_000n);
  await refund('returned', 5_000_000n);
  const heldUntil = new Date((await databaseNow(database.prisma)).getTime() + 60_000);
  await database.prisma.ledgerHold.create({ data: { paymentSignature: 'a', heldUntil } });
  const { arrived, nextCursor } = await list();
  expect(arrived).toMatchObject([
    { signature: 'b', token: 'SOL', leftRaw: 5_000_000n, isHeld: false },
    { signature: 'a', amountRaw: 5_000_000n, leftRaw: 4_000_000n, payers: ['payer'], isHeld: true },
  ]);
  expect(arrived.map(({ blockTime }) => blockTime)).toEqual([at, at]);
  expect(nextCursor).toBeNull();
});

it('counts several accounts of one transaction as one, and pages miss none and double none', async () => {
  const letters = Array.from({ length: 230 }, (_, n) => `s${n}`.replaceAll('0', 'z'));
  await put(
    ...letters.map((signature, n) => entry(signature, { slot: BigInt(n % 7) })),
    entry('s1', { slot: 1n, account: 'another account', amountRaw: 1n, afterRaw: 1n }),
  );
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await list(cursor);
    expect(page.arrived.length).toBeLessThanOrEqual(100);
    seen.push(...page.arrived.map(({ signature }) => signature));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toHaveLength(230);
  expect(new Set(seen)).toEqual(new Set(letters));
  await expect(list('nonsense')).rejects.toMatchObject({ code: 'invalid_request' });
});

it('is of whom the chain shows, whatever payer was noted', async () => {
  await put(
    entry('a'),
    entry('two', { parties: ['b', 'payer'].map((owner) => ({ owner, amount: '1' })) }),
  );
  const payersOf = async (signature: string, payer: string) => {
    const row = await database.prisma.payment.create({
      data: {
        id: `P${signature}${payer}`,
        dialect: 'documented',
        signature: `${signature} as ${payer}`,
        payer,
        payTo: 'till',
        state: 'unused',
        requestSha256: 'r',
        createdAt: at,
        updatedAt: at,
      },
    });
    const [found] = await findArrived(database.prisma, { signature, row });
    return found?.payers;
  };
  expect(await payersOf('a', 'liar')).toEqual(['payer']);
  expect(await payersOf('a', 'payer')).toEqual(['payer']);
  // Of several owners it is the one that paid.
  expect(await payersOf('two', 'payer')).toEqual(['payer']);
  expect(await payersOf('two', 'liar')).toEqual(['b', 'payer']);
});
