import type { LeafEvent } from '@quittance/verify/nft/leaf';
import { type Collection, Prisma } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import type { Env, Network } from '@/server/env';
import { MINT_KINDS, type MintKind } from './mint-rows';

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
  o: Owner & { holds: MintKind },
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

/** Name and address that a collection carries on chain: wallets show the name beside each NFT in it. */
export function collectionTexts(
  env: Pick<Env, 'serviceName' | 'publicUrl'>,
  holds: MintKind,
): { name: string; uri: string } {
  return {
    name: `${env.serviceName} ${holds}s`,
    uri: `${env.publicUrl}/.well-known/quittance.json`,
  };
}

/** Collection and plugin BubblegumV2 with their header and registry, without the two texts. */
const BYTES_WITHOUT_TEXTS = 110;
/** Two signatures: the minter's and the new account's. */
const FEE_LAMPORTS = 10_000n;

/** What making a collection takes from the minter: rent of its account, and the network fee. */
export async function priceCollection(
  rpc: Pick<Rpc, 'getMinimumBalanceForRentExemption'>,
  { name, uri }: { name: string; uri: string },
): Promise<bigint> {
  const bytes = BYTES_WITHOUT_TEXTS + Buffer.byteLength(name) + Buffer.byteLength(uri);
  return (await rpc.getMinimumBalanceForRentExemption(bytes)) + FEE_LAMPORTS;
}

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
  // Raw: an upsert of the client can neither keep the earlier of two times nor tell whether the row is new.
  const [row] = await db.$queryRaw<{ came: boolean }[]>(Prisma.sql`
    insert into collections (address, network, kind, minter, holds, created_at)
    values (${address}, ${o.network}, 'standard', ${minter}, ${o.holds}, ${o.mintedAt})
    on conflict (address) do update
      set created_at = least(collections.created_at, excluded.created_at)
    returning xmax = 0 as came`);
  return row?.came === true;
}

/** Takes the collections of a minter out of use from a time on. Gives their addresses. */
export async function retireCollections(
  tx: Db,
  o: { minter: string; from: Date },
): Promise<string[]> {
  const rows = await tx.collection.updateManyAndReturn({
    where: { minter: o.minter, OR: [{ retiredAt: null }, { retiredAt: { gt: o.from } }] },
    data: { retiredAt: o.from },
    select: { address: true },
  });
  return rows.map(({ address }) => address);
}
