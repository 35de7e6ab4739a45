import { Prisma, type Tree } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';

type TreeSpace = { capacity: bigint; left: bigint; trees: number };
type TreeWithRoom = { tree: Tree; left: bigint };

/** Whose trees: those of a network that take mints from this key. */
type Owner = { network: Network; minter: string };

/** Room in all trees of an owner together; full and retired ones do not count. */
export async function treeSpace(
  db: Pick<Db, 'tree' | 'mintAttempt'>,
  owner: Owner,
): Promise<TreeSpace> {
  const trees = await treesWithRoom(db, owner);
  return {
    capacity: trees.reduce((sum, { tree }) => sum + tree.capacity, 0n),
    left: trees.reduce((sum, { left }) => sum + left, 0n),
    trees: trees.length,
  };
}

/**
 * Address of the tree that the next leaf goes to, or null: of those with room the one with the fewest mints
 * under way, then the oldest. A block takes one change of a tree after another, so that several trees share
 * the load. Room is counted as in {@link treeSpace}, in one query, since every mint asks.
 */
export async function pickTree(db: Db, owner: Owner): Promise<{ address: string } | null> {
  const [first] = await db.$queryRaw<{ address: string }[]>(Prisma.sql`
    select address from trees, lateral (
      select count(*) as under_way from mint_attempts
      where tree = trees.address and outcome is null
    ) open
    where network = ${owner.network} and minter = ${owner.minter} and full_at is null and retired_at is null
      and capacity - minted > under_way
    order by under_way, created_at, address
    limit 1`);
  return first ?? null;
}

/**
 * Trees of an owner that still take leaves, oldest first, with their room: capacity less what was
 * minted and what is signed and may still land.
 */
async function treesWithRoom(
  db: Pick<Db, 'tree' | 'mintAttempt'>,
  owner: Owner,
): Promise<TreeWithRoom[]> {
  const trees = await db.tree.findMany({
    where: { ...owner, fullAt: null, retiredAt: null },
    orderBy: [{ createdAt: 'asc' }, { address: 'asc' }],
    take: 100,
  });
  const open = await db.mintAttempt.groupBy({
    by: ['tree'],
    where: { outcome: null },
    _count: true,
  });
  const underWay = new Map(open.map((row) => [row.tree, BigInt(row._count)]));
  return trees
    .map((tree) => ({
      tree,
      left: tree.capacity - tree.minted - (underWay.get(tree.address) ?? 0n),
    }))
    .filter(({ left }) => left > 0n);
}
