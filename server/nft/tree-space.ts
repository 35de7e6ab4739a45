import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';

export type TreeSpace = { capacity: bigint; left: bigint; trees: number };

/** Whose trees: those of a network that take mints from this key. */
type Owner = { network: Network; minter: string };

/** Trees of an owner that still take leaves, with what is signed for each and may still land. */
const openTrees = ({ network, minter }: Owner) => Prisma.sql`
  trees, lateral (
    select count(*) as under_way from mint_attempts
    where tree = trees.address and outcome is null
  ) open
  where network = ${network} and minter = ${minter} and full_at is null and retired_at is null
    and capacity - minted > under_way`;

/**
 * Room in all trees of an owner together: capacity less what was minted and what is signed and may still
 * land. Full and retired ones do not count.
 */
export async function treeSpace(db: Pick<Db, '$queryRaw'>, owner: Owner): Promise<TreeSpace> {
  const [space] = await db.$queryRaw<TreeSpace[]>(spaceInTrees(owner));
  return space ?? { capacity: 0n, left: 0n, trees: 0 };
}

/** {@link treeSpace} as SQL that can stand inside a larger question: one row. */
export function spaceInTrees(owner: Owner): Prisma.Sql {
  return Prisma.sql`
    select coalesce(sum(capacity), 0)::bigint as capacity,
      coalesce(sum(capacity - minted - under_way), 0)::bigint as "left", count(*)::int as trees
    from ${openTrees(owner)}`;
}

/**
 * Address of the tree that the next leaf goes to, or null: of those with room the one with the fewest mints
 * under way, then the oldest. A block takes one change of a tree after another, so that several trees share
 * the load.
 */
export async function pickTree(db: Db, owner: Owner): Promise<{ address: string } | null> {
  const [first] = await db.$queryRaw<{ address: string }[]>(Prisma.sql`
    select address from ${openTrees(owner)}
    order by under_way, created_at, address
    limit 1`);
  return first ?? null;
}
