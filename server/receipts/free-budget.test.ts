import { afterAll, beforeAll, expect, it } from 'vitest';
import { Prisma } from '@/generated/prisma/client';
import { ServiceError } from '@/server/errors';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import {
  freeMintsLeft,
  refuseSpentBudget,
  takeFreeMint,
  usedBudget,
  type UsedBudget,
} from './free-budget';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const base = { reads: 1, polls: 1, paid: 1, wallet: 1, rpc: 1 };
const limits = { ...base, free_wallet: 3, free_pair: 2, free_all: 6 };
const now = new Date('2026-03-01T22:30:00Z');
const wish = (payer: string, seller: string) => ({ wallet: payer, payer, seller });

async function take(payer: string, seller: string, at = now): Promise<string> {
  try {
    await database.prisma.$transaction((tx) =>
      takeFreeMint(tx, { wish: wish(payer, seller), limits, now: at }),
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

it('a day has so many free receipts for a pair either way round, a wallet, and all together', async () => {
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

it('what is refused or rolled back takes nothing, and rivals take no more than there is', async () => {
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
