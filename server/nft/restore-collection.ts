import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';
import type { LeafEvent } from '@quittance/verify/nft/leaf';
import type { MintKind } from './mint-state';

/**
 * Puts the collection of a leaf of ours on record, in use at the time of its mint at the latest: a collection
 * made after the backup is known to the chain alone. Nothing for a leaf without one. Gives whether it came back.
 */
export async function restoreCollection(
  db: Db,
  o: { leaf: LeafEvent; network: Network; holds: MintKind; mintedAt: Date },
): Promise<boolean> {
  const { collection: address, treeAuthority: minter } = o.leaf;
  if (address === null) return false;
  const [row] = await db.$queryRaw<{ came: boolean }[]>(Prisma.sql`
    insert into collections (address, network, kind, minter, holds, created_at)
    values (${address}, ${o.network}, 'standard', ${minter}, ${o.holds}, ${o.mintedAt})
    on conflict (address) do update
      set created_at = least(collections.created_at, excluded.created_at)
    returning xmax = 0 as came`);
  return row?.came === true;
}
