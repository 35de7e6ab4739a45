import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import { readTree } from './read-tree';

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
