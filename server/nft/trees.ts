import { setTimeout as sleep } from 'node:timers/promises';
import {
  findTreeConfigPda,
  getTreeConfigAccountDataSerializer,
  Version,
} from '@metaplex-foundation/mpl-bubblegum';
import { publicKey } from '@metaplex-foundation/umi';
import { readTreeRoots } from '@quittance/verify/nft/leaf';
import { BUBBLEGUM_PROGRAM, COMPRESSION_PROGRAM } from '@quittance/verify/nft/programs';
import { Prisma, type Tree } from '@/generated/prisma/client';
import { askEach, nodesNeeded } from '@/server/chain/node-statuses';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';
import { offlineUmi } from './offline-umi';
import { canopyOf } from './plan-tree';

/** A Bubblegum V2 tree on chain. */
export type ChainTree = {
  creator: string;
  delegate: string;
  capacity: bigint;
  minted: bigint;
  depth: number;
  buffer: number;
  canopy: number;
};
export type TreeReading = { ok: true; tree: ChainTree } | { ok: false; reason: string };

/** Reads a tree's account and its configuration. Throws RpcUnavailable. */
export async function readTree(
  rpc: Pick<Rpc, 'getAccountInfo'>,
  address: string,
): Promise<TreeReading> {
  const [configAddress] = findTreeConfigPda(offlineUmi(), { merkleTree: publicKey(address) });
  const account = await rpc.getAccountInfo(address);
  const config = await rpc.getAccountInfo(configAddress);
  if (!account || !config) return no(`the chain has no tree ${address}`);
  const roots = readTreeRoots(account.data);
  if (account.owner !== COMPRESSION_PROGRAM || config.owner !== BUBBLEGUM_PROGRAM || !roots)
    return no(`${address} is not a Bubblegum V2 tree`);
  const [data] = getTreeConfigAccountDataSerializer().deserialize(config.data);
  if (data.version !== Version.V2) return no(`tree ${address} is of Bubblegum V1`);
  const bytes = account.data.length;
  const canopy = canopyOf({ depth: roots.depth, buffer: roots.buffer, bytes });
  if (canopy === null) return no(`tree ${address} has an account of an odd size, ${bytes} bytes`);
  return {
    ok: true,
    tree: {
      creator: data.treeCreator,
      delegate: data.treeDelegate,
      capacity: data.totalMintCapacity,
      minted: data.numMinted,
      depth: roots.depth,
      buffer: roots.buffer,
      canopy,
    },
  };
}

function no(reason: string): TreeReading {
  return { ok: false, reason };
}

/**
 * Whether the account of a tree shows no space, on two nodes if there are two. A node that says
 * so when it simulates a mint may lie or follow another fork, and a closed tree takes no more leaves.
 */
export async function isTreeFull(
  rpc: Pick<Rpc, 'nodes' | 'onNode'>,
  address: string,
): Promise<boolean> {
  const seen = await Promise.all(askEach(rpc, (node) => readTree(node, address)));
  const full = seen.filter((one) => one?.ok && one.tree.minted >= one.tree.capacity);
  return full.length >= nodesNeeded(rpc.nodes);
}

/** Trees of ours on a network, full and retired ones too, oldest first. */
export function listTrees(db: Db, network: Network): Promise<Tree[]> {
  return db.tree.findMany({
    where: { network },
    orderBy: [{ createdAt: 'asc' }, { address: 'asc' }],
    take: 1_000,
  });
}

/** Nodes may show a new account a moment after its transaction. */
const LOOKS = 10;
const PAUSE_MS = 500;

/**
 * Records a tree of the chain, so that leaves go to it. Safe to repeat. Throws Error when the
 * chain has no such tree or it takes no mint from `minter`.
 */
export async function registerTree(o: {
  db: Db;
  rpc: Pick<Rpc, 'getAccountInfo'>;
  address: string;
  minter: string;
  network: Network;
  now: Date;
}): Promise<Tree> {
  const { address } = o;
  const reading = await look(o.rpc, address);
  if (!reading.ok) throw new Error(reading.reason);
  const { tree } = reading;
  if (tree.creator !== o.minter && tree.delegate !== o.minter)
    throw new Error(`tree ${address} takes mints from ${tree.creator}, not from ${o.minter}`);
  return o.db.tree.upsert({
    where: { address },
    create: {
      address,
      network: o.network,
      creator: tree.creator,
      minter: o.minter,
      maxDepth: tree.depth,
      maxBufferSize: tree.buffer,
      canopyDepth: tree.canopy,
      capacity: tree.capacity,
      minted: tree.minted,
      createdAt: o.now,
      fullAt: tree.minted >= tree.capacity ? o.now : null,
    },
    update: { minted: tree.minted, minter: o.minter },
  });
}

async function look(rpc: Pick<Rpc, 'getAccountInfo'>, address: string): Promise<TreeReading> {
  for (let seen = 1; ; seen += 1) {
    const reading = await readTree(rpc, address);
    if (reading.ok || seen === LOOKS) return reading;
    await sleep(PAUSE_MS);
  }
}

/** Takes a tree out of use because the program said that it has no space. */
export async function markTreeFull(db: Db, address: string, now: Date): Promise<void> {
  await db.tree.updateMany({ where: { address, fullAt: null }, data: { fullAt: now } });
}

/** Takes the trees of a minter out of use from a time on. Returns their addresses. */
export async function retireTrees(tx: Db, o: { minter: string; from: Date }): Promise<string[]> {
  const rows = await tx.tree.updateManyAndReturn({
    where: { minter: o.minter, OR: [{ retiredAt: null }, { retiredAt: { gt: o.from } }] },
    data: { retiredAt: o.from },
    select: { address: true },
  });
  return rows.map(({ address }) => address);
}

/**
 * Takes the number of leaves of a tree from the chain, and takes a full tree out of use. Gives that
 * number. Throws Error when the chain has no such tree, and RpcUnavailable.
 */
export async function syncTree(o: {
  db: Db;
  rpc: Pick<Rpc, 'getAccountInfo'>;
  address: string;
  now: Date;
}): Promise<bigint> {
  const reading = await readTree(o.rpc, o.address);
  if (!reading.ok) throw new Error(reading.reason);
  const { minted, capacity } = reading.tree;
  await o.db.tree.update({
    where: { address: o.address },
    data: { minted, fullAt: minted >= capacity ? o.now : null },
  });
  return minted;
}

export type TreeSpace = { capacity: bigint; left: bigint; trees: number };

/** Owner of trees: those of a network that take mints from this key. */
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
 * Space in all trees of an owner together: capacity less the minted leaves and the signed mints
 * that may still land. Full and retired ones do not count.
 */
export async function treeSpace(db: Pick<Db, '$queryRaw'>, owner: Owner): Promise<TreeSpace> {
  const [space] = await db.$queryRaw<TreeSpace[]>(spaceInTrees(owner));
  return space ?? { capacity: 0n, left: 0n, trees: 0 };
}

/** {@link treeSpace} as SQL for use inside a larger query: one row. */
export function spaceInTrees(owner: Owner): Prisma.Sql {
  return Prisma.sql`
    select coalesce(sum(capacity), 0)::bigint as capacity,
      coalesce(sum(capacity - minted - under_way), 0)::bigint as "left", count(*)::int as trees
    from ${openTrees(owner)}`;
}

/**
 * Address of the tree for the next leaf, or null. Of the trees with space it is the one with the
 * fewest mints under way, then the oldest. A block applies the changes of one tree one by one, so
 * several trees share the load.
 */
export async function pickTree(db: Db, owner: Owner): Promise<{ address: string } | null> {
  const [first] = await db.$queryRaw<{ address: string }[]>(Prisma.sql`
    select address from ${openTrees(owner)}
    order by under_way, created_at, address
    limit 1`);
  return first ?? null;
}
