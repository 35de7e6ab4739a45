import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { lastBooks, reconcile } from './reconcile';

const AT = new Date(Date.UTC(2026, 10, 29));
const MINT = 'usdc mint';
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { prisma } = database;
  await prisma.ledgerEntry.deleteMany();
  await prisma.ledgerAccount.deleteMany();
  await prisma.ledgerRefund.deleteMany();
  await prisma.ledgerReconciliation.deleteMany();
  await prisma.payment.deleteMany();
});

let made = 0;
const entry = (direction: 'in' | 'out', amountRaw: bigint, o: object = {}) => {
  made += 1;
  const isIn = direction === 'in';
  return database.prisma.ledgerEntry.create({
    data: {
      signature: `s${made}`,
      account: 'a',
      wallet: 'till',
      mint: MINT,
      token: 'USDC',
      decimals: 6,
      direction,
      amountRaw,
      slot: 5n,
      blockTime: AT,
      createdAt: AT,
      beforeRaw: isIn ? 0n : amountRaw,
      afterRaw: isIn ? amountRaw : 0n,
      parties: [],
      memos: [],
      ...o,
    },
  });
};
const account = (name: string, balanceRaw: bigint, differenceRaw: bigint, upToSlot = 9n) =>
  database.prisma.ledgerAccount.create({
    data: {
      account: name,
      wallet: 'till',
      mint: MINT,
      token: 'USDC',
      decimals: 6,
      createdAt: AT,
      balanceRaw,
      differenceRaw,
      upToSlot,
    },
  });
const bought = (signature: string, priceMicros: bigint, slot: bigint) =>
  database.prisma.payment.create({
    data: {
      id: signature,
      dialect: 'v2',
      signature,
      payTo: 'till',
      priceMicros,
      slot,
      state: 'used',
      requestSha256: 'r',
      createdAt: AT,
      updatedAt: AT,
    },
  });
const usdc = async () => {
  const books = (await reconcile(database.prisma)).find(({ token }) => token === 'USDC');
  if (!books) throw new Error('no books of USDC');
  return books;
};

describe('the books of a token', () => {
  it('say what became of all that came in', async () => {
    const { signature } = await entry('in', 1_000n);
    await entry('in', 50n, { purpose: 'internal' });
    await entry('out', 200n, { purpose: 'refund' });
    await entry('out', 300n, { purpose: 'withdrawal' });
    await entry('out', 7n);
    await bought(signature, 400n, 5n);
    await database.prisma.ledgerRefund.create({
      data: {
        refundSignature: 'r',
        paymentSignature: 'p',
        token: 'USDC',
        amountRaw: 200n,
        fromWallet: 'till',
        fromLedger: true,
        recordedAt: AT,
      },
    });
    await account('a', 543n, 0n);
    expect(await usdc()).toMatchObject({
      cameIn: 1_000n,
      bought: 400n,
      refunded: 200n,
      unused: 400n,
      withdrawn: 300n,
      unexplained: 7n,
      internal: 50n,
      unbacked: 0n,
      balance: 543n,
      difference: 0n,
    });
    expect(await lastBooks(database.prisma)).toMatchObject([{ unusedRaw: 400n, balanceRaw: 543n }]);
  });

  it('add up differences of accounts, which do not cancel each other out', async () => {
    await entry('in', 1_000n);
    await account('a', 1_030n, 30n);
    await account('b', 0n, -30n);
    expect(await usdc()).toMatchObject({ difference: 60n });
    expect(await lastBooks(database.prisma)).toMatchObject([{ differenceRaw: 60n }]);
  });

  it('name a purchase without money once the scan has passed it', async () => {
    await entry('in', 1_000n);
    await account('a', 1_000n, 0n, 20n);
    await bought('read', 100n, 20n);
    await bought('not read yet', 100n, 21n);
    expect(await usdc()).toMatchObject({ unbacked: 100n, bought: 200n, unused: 1_000n });
  });

  it('count a purchase as backed only by as much USDC as it cost', async () => {
    const { signature } = await entry('in', 99n);
    await account('a', 99n, 0n, 20n);
    await bought(signature, 100n, 5n);
    expect(await usdc()).toMatchObject({ unbacked: 100n });
  });
});
