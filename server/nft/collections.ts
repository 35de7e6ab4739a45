import type { LeafEvent } from '@quittance/verify/nft/leaf';
import { type Collection, type Mint, Prisma } from '@/generated/prisma/client';
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

/** Owner of the collections: only the key that created one may mint into it. */
type Owner = { network: Network; minter: string };

/**
 * A collection by its contents. `frozen_receipt`: receipts that their holders can neither move nor
 * burn.
 */
export type CollectionContents = MintKind | 'frozen_receipt';
/** Kind and contents of a collection, as recorded. */
export function rowOf(
  contents: CollectionContents,
): Pick<Collection, 'kind'> & { holds: MintKind } {
  return contents === 'frozen_receipt'
    ? { kind: 'frozen', holds: 'receipt' }
    : { kind: 'standard', holds: contents };
}

/** The newest collection of a minter in use that holds this, or null. */
function findCollection(
  db: Db,
  { network, minter, contents }: Owner & { contents: CollectionContents },
): Promise<{ address: string } | null> {
  return db.collection.findFirst({
    where: { network, minter, ...rowOf(contents), retiredAt: null },
    orderBy: [{ createdAt: 'desc' }, { address: 'asc' }],
    select: { address: true },
  });
}

/**
 * Address of the collection that an NFT of a minter goes into, or null if it has none: the newest that is in
 * use. The frozen one takes receipts that their payer proved to have asked for, while the setting is on, and
 * nothing else. If there is none yet, those go into the standard one.
 */
export async function pickCollection(
  db: Db,
  o: Owner & { mint: Pick<Mint, 'kind' | 'askedByPayer'>; frozenReceipts: boolean },
): Promise<{ address: string } | null> {
  const { kind, askedByPayer } = o.mint;
  const isFrozen = o.frozenReceipts && kind === 'receipt' && askedByPayer;
  const frozen = isFrozen ? await findCollection(db, { ...o, contents: 'frozen_receipt' }) : null;
  return frozen ?? findCollection(db, { ...o, contents: kind });
}

/** The collections that a minter lacks: one for each kind of NFT, and the frozen one if the setting is on. */
export async function missingCollections(
  db: Db,
  o: Owner & { frozenReceipts: boolean },
): Promise<CollectionContents[]> {
  const wanted: CollectionContents[] = [
    ...MINT_KINDS,
    ...(o.frozenReceipts ? ['frozen_receipt' as const] : []),
  ];
  const found = await Promise.all(wanted.map((contents) => findCollection(db, { ...o, contents })));
  return wanted.filter((_, index) => found[index] === null);
}

/** The name of the contents for operators: `receipts`, `statements` or `frozen receipts`. */
export function nameContents(contents: CollectionContents): string {
  return contents === 'frozen_receipt' ? 'frozen receipts' : `${contents}s`;
}

/** Name and address of a collection on chain. Wallets show the name with each NFT in it. */
export function collectionTexts(
  env: Pick<Env, 'serviceName' | 'publicUrl'>,
  contents: CollectionContents,
): { name: string; uri: string } {
  return {
    name: `${env.serviceName} ${nameContents(contents)}`,
    uri: `${env.publicUrl}/.well-known/quittance.json`,
  };
}

/** Collection and plugin BubblegumV2 with their header and registry, without the two texts. */
const BYTES_WITHOUT_TEXTS = 110;
/** Plugin PermanentFreezeDelegate and its entry in the registry. */
const FREEZE_BYTES = 12;
/** Two signatures: the minter's and the new account's. */
const FEE_LAMPORTS = 10_000n;

/** Cost of a collection for the minter: rent of its account, and the network fee. */
export async function priceCollection(
  rpc: Pick<Rpc, 'getMinimumBalanceForRentExemption'>,
  { name, uri }: { name: string; uri: string },
  contents: CollectionContents,
): Promise<bigint> {
  const plugins = contents === 'frozen_receipt' ? FREEZE_BYTES : 0;
  const bytes = BYTES_WITHOUT_TEXTS + plugins + Buffer.byteLength(name) + Buffer.byteLength(uri);
  return (await rpc.getMinimumBalanceForRentExemption(bytes)) + FEE_LAMPORTS;
}

/**
 * Records the collection of a leaf of ours, in use at the time of its mint at the latest. Only the
 * chain knows a collection created after the backup, and `readKind` asks whether it is frozen. Does
 * nothing for a leaf without one. Returns whether it was restored. Throws what `readKind` throws.
 */
export async function restoreCollection(
  db: Db,
  o: {
    leaf: LeafEvent;
    network: Network;
    holds: MintKind;
    mintedAt: Date;
    readKind: (address: string) => Promise<Collection['kind']>;
  },
): Promise<boolean> {
  const { collection: address, treeAuthority: minter } = o.leaf;
  if (address === null) return false;
  const known = await db.collection.findUnique({ where: { address }, select: { kind: true } });
  const kind = known?.kind ?? (await o.readKind(address));
  // Raw: an upsert of the client can neither keep the earlier of two times nor show whether the row is new.
  const [row] = await db.$queryRaw<{ came: boolean }[]>(Prisma.sql`
    insert into collections (address, network, kind, minter, holds, created_at)
    values (${address}, ${o.network}, ${kind}, ${minter}, ${o.holds}, ${o.mintedAt})
    on conflict (address) do update
      set created_at = least(collections.created_at, excluded.created_at)
    returning xmax = 0 as came`);
  return row?.came === true;
}

/** Takes the collections of a minter out of use from a time on. Returns their addresses. */
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
