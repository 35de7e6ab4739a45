import { afterAll, beforeAll, expect, it } from 'vitest';
import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import {
  cursorAfter,
  type DashboardRow,
  pageRows,
  type RowCursor,
  setPrivateLabel,
} from './page-rows';

const [SELLER, PAYER] = ['Awallet', 'Bwallet'];
const receiptId = 'A00000000001';
const now = new Date('2026-11-28T12:00:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await fillReceipts(database.prisma, { wallet: SELLER, other: PAYER, count: 4 });
  const label = 'Table nine';
  await setPrivateLabel(database.prisma, { wallet: SELLER, receiptId, label, now });
});
afterAll(() => database.close());

async function found(wallet: string, role: 'seller' | 'payer', search?: string) {
  const rows = await pageRows(database.prisma, {
    wallet,
    role,
    search,
    cursor: null,
    limit: 10,
    order: 'newest',
    from: new Date('2025-01-01'),
    until: new Date('2026-01-01'),
  });
  return rows.map((row) => [row.receiptId, row.label]);
}

it('a note is shown to the wallet that made it, and not to the other side', async () => {
  expect(await found(SELLER, 'seller', receiptId)).toEqual([[receiptId, 'Table nine']]);
  expect(await found(PAYER, 'payer', receiptId)).toEqual([[receiptId, null]]);
});

it('the other side does not find a receipt by a note either', async () => {
  expect(await found(SELLER, 'seller', 'table nin')).toHaveLength(1);
  expect(await found(PAYER, 'payer', 'table nin')).toEqual([]);
});

it('a note of the other side neither replaces nor removes one’s own', async () => {
  const note = { wallet: PAYER, receiptId, now };
  await setPrivateLabel(database.prisma, { ...note, label: 'Lunch' });
  expect(await found(SELLER, 'seller', receiptId)).toEqual([[receiptId, 'Table nine']]);
  expect(await found(PAYER, 'payer', receiptId)).toEqual([[receiptId, 'Lunch']]);
  await setPrivateLabel(database.prisma, { ...note, label: '' });
  expect(await found(SELLER, 'seller', receiptId)).toEqual([[receiptId, 'Table nine']]);
});

it('hidden labels find no receipt; its id and a private note do', async () => {
  const { prisma } = database;
  const [staff, other] = ['Lwallet', 'A00000000003'];
  await prisma.$executeRaw`insert into receipt_leg_owners (owner, block_time, receipt_id)
    select ${staff}, block_time, id from receipts where id = ${receiptId}`;
  await setPrivateLabel(prisma, { wallet: staff, receiptId, label: 'Commission', now });
  const hide = (at: Date | null) =>
    prisma.receipt.update({ where: { id: receiptId }, data: { labelsHiddenAt: at } });
  const ids = async (wallet: string, search: string) =>
    (await found(wallet, 'seller', search)).map(([id]) => id);
  expect([await ids(SELLER, 'api'), await ids(staff, 'api')]).toEqual([
    [other, receiptId],
    [receiptId],
  ]);
  await hide(now);
  expect([await ids(SELLER, 'api'), await ids(staff, 'api')]).toEqual([[other], []]);
  for (const search of ['table nin', receiptId])
    expect(await ids(SELLER, search)).toEqual([receiptId]);
  for (const search of ['commiss', receiptId])
    expect(await ids(staff, search)).toEqual([receiptId]);
  await hide(null);
});

it('a wallet sees receipts on its own side, and strangers see none', async () => {
  const [asSeller, asPayer] = [await found(SELLER, 'seller'), await found(SELLER, 'payer')];
  expect(asSeller.map(([id]) => id)).toEqual(['A00000000003', receiptId]);
  expect(asPayer.map(([id]) => id)).toEqual(['A00000000002', 'A00000000000']);
  expect(await found('Cwallet', 'seller')).toEqual([]);
  expect(await found('Cwallet', 'payer', receiptId)).toEqual([]);
});

it.each(['newest', 'oldest'] as const)(
  'rows of one second are in the order of the chain, over pages: %s first',
  async (order) => {
    const { prisma } = database;
    await fillReceipts(prisma, { wallet: `${order}E`, other: 'F', count: 40, perSecond: 40 });
    // Ids run against the chain; two blocks in one second.
    await prisma.$executeRaw`update receipts
      set slot = 7 + substr(id, 2)::int % 4 / 2, block_index = 100 - substr(id, 2)::int
      where payer = ${`${order}E`} or seller = ${`${order}E`}`;
    const seen: string[] = [];
    let cursor: RowCursor | null = null;
    for (;;) {
      const page: DashboardRow[] = await pageRows(prisma, {
        wallet: `${order}E`,
        role: 'seller',
        cursor,
        limit: 3,
        order,
        from: new Date('2025-01-01'),
        until: new Date('2026-01-01'),
      });
      seen.push(...page.map(({ receiptId }) => receiptId.slice(1)));
      const last = page.at(-1);
      if (!last) break;
      cursor = cursorAfter(last);
    }
    const numbers = Array.from({ length: 20 }, (_, n) => 39 - 2 * n);
    const inChain = [0, 1].flatMap((block) =>
      numbers.filter((n) => Math.floor((n % 4) / 2) === block),
    );
    const expected = order === 'oldest' ? inChain : inChain.toReversed();
    expect(seen).toEqual(expected.map((n) => String(n).padStart(11, '0')));
  },
);

it.each(['payer', 'seller'] as const)(
  'a page of the %s reads no mint but its own',
  async (role) => {
    const { prisma } = database;
    const wallet = `Plan of a ${role}`;
    await fillReceipts(prisma, {
      wallet: role === 'payer' ? 'Pwallet' : 'Swallet',
      other: wallet,
      count: 2_000,
    });
    await prisma.$executeRaw`analyze receipts, mints`;
    let plan: unknown = null;
    const explain = async (parts: TemplateStringsArray, ...values: unknown[]): Promise<[]> => {
      plan = await prisma.$queryRaw(Prisma.sql`explain ${Prisma.sql(parts, ...values)}`);
      return [];
    };
    await pageRows(trusted<Db>({ $queryRaw: explain }, 'a page is one query'), {
      wallet,
      role,
      cursor: null,
      limit: 500,
      order: 'oldest',
      from: new Date('2025-01-01'),
      until: new Date('2026-01-01'),
    });
    expect(JSON.stringify(plan)).toContain('mints_pkey');
    expect(JSON.stringify(plan)).not.toContain('Seq Scan on mints');
  },
);
