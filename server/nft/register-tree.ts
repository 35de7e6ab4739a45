import { setTimeout as sleep } from 'node:timers/promises';
import type { Tree } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';
import { readTree, type TreeReading } from './read-tree';

/** Nodes may show a new account a moment after its transaction. */
const LOOKS = 10;
const PAUSE_MS = 500;

/**
 * Puts a tree of the chain on record, so that leaves go to it. Twice is fine. Throws Error when the
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
