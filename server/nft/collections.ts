import type { Collection } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';
import { MINT_KINDS, type MintKind } from './mint-state';

/** Collections of ours on a network, retired ones too, oldest first. */
export function listCollections(db: Db, network: Network): Promise<Collection[]> {
  return db.collection.findMany({
    where: { network },
    orderBy: [{ createdAt: 'asc' }, { address: 'asc' }],
    take: 1_000,
  });
}

/** Whose collections: only the key that made one may mint into it. */
type Owner = { network: Network; minter: string };

/**
 * Address of the collection that a minter's NFTs of a kind go into, or null where it has made none: the newest
 * that is in use.
 */
export async function pickCollection(
  db: Db,
  o: Owner & { holds: string },
): Promise<{ address: string } | null> {
  const { network, minter, holds } = o;
  return db.collection.findFirst({
    where: { network, minter, holds, kind: 'standard', retiredAt: null },
    orderBy: [{ createdAt: 'desc' }, { address: 'asc' }],
    select: { address: true },
  });
}

/** The kinds of NFT that a minter has no collection for. */
export async function missingCollections(db: Db, o: Owner): Promise<MintKind[]> {
  const picked = await Promise.all(MINT_KINDS.map((holds) => pickCollection(db, { ...o, holds })));
  return MINT_KINDS.filter((_, index) => picked[index] === null);
}
