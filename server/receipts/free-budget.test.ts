import { afterAll, beforeAll, expect, it } from 'vitest';
import { Prisma } from '@/generated/prisma/client';
import { ServiceError } from '@/server/errors';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import {
  freeMintsLeft,
  refuseSpentBudget,
  takeFreeMint,
  usedBudget,
  type FreeMintWish,
  type UsedBudget,
} from './free-budget';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const base = { reads: 1, polls: 1, paid: 1, wallet: 1, rpc: 1, failed_payer: 1, failed_all: 1 };
const limits = { ...base, free_wallet: 3, free_pair: 2, free_client: 4, free_all: 6 };
const now = new Date('2026-03-01T22:30:00Z');
type More = Partial<FreeMintWish>;
const wish = (payer: string, seller: string, more: More = {}): FreeMintWish => ({
  wallet: payer,
  payer,
  seller,
  client: null,
  usdMicros: 250_000n,
  ...more,
});

async function take(payer: string, seller: string, at = now, more: More = {}): Promise<string> {
  try {
    await database.prisma.$transaction((tx) =>
      takeFreeMint(tx, { wish: wish(payer, seller, more), limits, now: at }),
    );
    return 'taken';
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

async function refusal(payer: string, seller: string): Promise<unknown> {
  const order = { wish: wish(payer, seller), limits, now };
  const [row] = await database.prisma.$queryRaw<{ used: UsedBudget }[]>(
    Prisma.sql`select ${usedBudget(order)} as used`,
  );
  try {
    refuseSpentBudget(row?.used ?? {}, order);
  } catch (error) {
    return error;
  }
  return null;
}

it('a day has limits of free receipts for a pair in either direction, a wallet, and all together', async () => {
  expect(await refusal('A', 'B')).toBeNull();
  expect(await take('A', 'B')).toBe('taken');
  expect(await take('B', 'A')).toBe('taken');
  expect(await take('A', 'B')).toContain('2 free receipts between these two wallets');
  expect(await take('A', 'C')).toBe('taken');
  expect(await take('A', 'D')).toBe('taken');
  expect(await take('A', 'E')).toContain('3 free receipts of this wallet');
  expect(await take('F', 'G')).toBe('taken');
  expect(await freeMintsLeft(database.prisma, { limits, now })).toBe(1);
  expect(await take('H', 'I')).toBe('taken');
  const refused = await take('J', 'K');
  expect(refused).toContain('6 free receipts of the service');
  expect(refused).toContain('2026-03-02 00:00 UTC');
  expect(await refusal('J', 'K')).toMatchObject({ status: 429, retryAfterS: 5_400 });
  expect(await take('J', 'K', new Date('2026-03-02T00:00:00Z'))).toBe('taken');
});

it('refused or rolled-back receipts take nothing, and rivals take no more than there is', async () => {
  const later = new Date('2026-04-01T00:00:00Z');
  await expect(
    database.prisma.$transaction(async (tx) => {
      await takeFreeMint(tx, { wish: wish('A', 'B'), limits, now: later });
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await freeMintsLeft(database.prisma, { limits, now: later })).toBe(6);
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, i) => take(`P${i}`, `S${i}`, later)),
  );
  expect(all.filter((one) => one === 'taken')).toHaveLength(6);
  expect(await freeMintsLeft(database.prisma, { limits, now: later })).toBe(0);
});

it('a client address has a limit for all its wallets together, and automatic receipts have no client', async () => {
  const day = new Date('2026-05-01T00:00:00Z');
  for (let n = 0; n < 4; n += 1)
    expect(await take(`A${n}`, `B${n}`, day, { client: 'one /64' })).toBe('taken');
  const refused = await take('A9', 'B9', day, { client: 'one /64' });
  expect(refused).toContain('4 free receipts of this client address');
  expect(refused).toContain('2026-05-02 00:00 UTC');
  expect(await take('A9', 'B9', day, { client: 'another' })).toBe('taken');
  expect(await take('A8', 'B8', day)).toBe('taken');
});

it('half of the daily budget is kept for transfers from 0.01 USD up, after any amount of dust', async () => {
  const day = new Date('2026-06-01T00:00:00Z');
  const dust = { usdMicros: 9_999n };
  for (let n = 0; n < 3; n += 1) expect(await take(`A${n}`, `B${n}`, day, dust)).toBe('taken');
  expect(await take('A9', 'B9', day, dust)).toContain(
    '3 free receipts for transfers under 0.01 USD',
  );
  for (let n = 3; n < 6; n += 1)
    expect(await take(`A${n}`, `B${n}`, day, { usdMicros: 10_000n })).toBe('taken');
  expect(await take('A9', 'B9', day, { usdMicros: 10_000n })).toContain('of the service');
});

it('automatic receipts leave a seller its own, and have as many of theirs', async () => {
  const day = new Date('2026-07-01T00:00:00Z');
  const automatic = { wallet: 'S', isAutomatic: true };
  for (let n = 0; n < 3; n += 1) expect(await take(`P${n}`, 'S', day, automatic)).toBe('taken');
  expect(await take('P9', 'S', day, automatic)).toContain(
    '3 free receipts that this seller gets automatically',
  );
  for (let n = 3; n < 6; n += 1)
    expect(await take(`P${n}`, 'S', day, { wallet: 'S' })).toBe('taken');
});
