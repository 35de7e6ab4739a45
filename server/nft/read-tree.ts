import {
  findTreeConfigPda,
  getTreeConfigAccountDataSerializer,
  Version,
} from '@metaplex-foundation/mpl-bubblegum';
import { publicKey } from '@metaplex-foundation/umi';
import type { Rpc } from '@/server/chain/rpc';
import { readTreeRoots } from '@quittance/verify/nft/leaf';
import { offlineUmi } from './offline-umi';
import { canopyOf } from './plan-tree';
import { BUBBLEGUM_PROGRAM, COMPRESSION_PROGRAM } from '@quittance/verify/nft/programs';

/** A Bubblegum V2 tree as the chain has it. */
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
