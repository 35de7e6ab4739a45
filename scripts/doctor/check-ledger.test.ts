import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseNow } from '@/server/db/database-clock';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { checkLedger } from './check-ledger';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const check = () => checkLedger(database.prisma);

it('reports how far the ledger was read, how long ago, and the difference of each token', async () => {
  const { prisma } = database;
  expect(await check()).toMatchObject({
    ok: true,
    detail: expect.stringContaining('not read yet'),
  });
  const now = await databaseNow(prisma);
  const account = (account: string, token: string, upToSlot: bigint | null) => ({
    account,
    wallet: 'till',
    mint: token === 'SOL' ? null : account,
    token,
    decimals: 6,
    upToSlot,
    checkedAt: now,
    createdAt: now,
  });
  await prisma.ledgerAccount.createMany({
    data: [account('usdc', 'USDC', 77n), account('till', 'SOL', 66n)],
  });
  const read = await check();
  expect(read.ok).toBe(true);
  expect(read.detail).toMatch(/^read up to slot 66, \d s ago, .*USDC differs by 0/);
  await prisma.ledgerAccount.update({ where: { account: 'usdc' }, data: { differenceRaw: -5n } });
  expect(await check()).toMatchObject({
    ok: false,
    detail: expect.stringContaining('USDC differs by 0.000005'),
  });
  const longAgo = new Date(now.getTime() - 3_600_000);
  await prisma.ledgerAccount.updateMany({
    data: { differenceRaw: 0n, checkedAt: longAgo, upToSlot: null },
  });
  const old = await check();
  expect(old.ok).toBe(false);
  expect(old.detail).toMatch(/no account read to its end, 2 accounts .* 36\d\d s ago/);
});
