import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { UNPLACED } from './receipt-codec';
import { placeReceipts } from './reserve-transaction';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { prisma } = database;
  await fillReceipts(prisma, { wallet: 'S', other: 'T', count: 6 });
  await fillReceipts(prisma, { wallet: 'U', other: 'V', count: 1 });
  // Two blocks: 70 with four receipts of the pair and a stranger's, 71 and 72 with one each.
  await prisma.$executeRaw`update receipts set slot = case
    when id in ('S00000000004') then 71 when id in ('S00000000005') then 72 else 70 end`;
  await prisma.$executeRaw`update receipts set block_index = 3 where id = 'S00000000000'`;
});
afterAll(() => database.close());

it('places receipts that share a slot with another of their wallets, and asks for no other block', async () => {
  const { prisma } = database;
  const asked: bigint[] = [];
  const signatures = ['x', 'S:2', 'S:1', 'S:0', 'S:3', 'U:0'];
  const links = { height: 1n, blockhash: '', parentSlot: 0n, previousBlockhash: '' };
  const rpc = {
    getBlock: (slot: bigint) => {
      asked.push(slot);
      return Promise.resolve({ ...links, signatures });
    },
  };
  expect(await placeReceipts({ db: prisma, rpc })).toBe(4);
  expect(asked).toEqual([70n]);
  const rows = await prisma.receipt.findMany({ orderBy: { id: 'asc' } });
  expect(rows.map(({ id, blockIndex }) => [id, blockIndex])).toEqual([
    ...[['S00000000000', 3] as const, ['S00000000001', 2] as const, ['S00000000002', 1] as const],
    ...[['S00000000003', 4] as const, ['S00000000004', UNPLACED] as const],
    ...[['S00000000005', UNPLACED] as const, ['U00000000000', 5] as const],
  ]);
  expect(await placeReceipts({ db: prisma, rpc })).toBe(0);
  expect(asked).toEqual([70n]);
});

it('leaves what is in a block that no node gives, for the next round', async () => {
  const { prisma } = database;
  await prisma.$executeRaw`update receipts set block_index = ${UNPLACED} where slot = 70`;
  const none = { getBlock: () => Promise.resolve(null) };
  expect(await placeReceipts({ db: prisma, rpc: none })).toBe(0);
  expect(await prisma.receipt.count({ where: { blockIndex: UNPLACED } })).toBe(7);
});
