import { generateSigner } from '@metaplex-foundation/umi';
import type { Tree } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import type { Network, SecretKey } from '@/server/env';
import { makeAccount } from './begun-account';
import { buildTree } from './build-tree';
import { offlineUmi, signerOf } from './offline-umi';
import type { TreePlan } from './plan-tree';
import { priceTree } from './price-tree';
import { registerTree } from './register-tree';
import { signTransaction } from './sign-transaction';

/**
 * Makes a tree and registers it, or finishes the one that an earlier run began, of whatever size that is.
 * `onAddress` is told its address before anything is spent. Throws Error when the chain refuses, and
 * RpcUnavailable.
 */
export async function createTree(o: {
  db: Db;
  rpc: Rpc;
  minter: SecretKey;
  network: Network;
  plan: TreePlan;
  now: Date;
  onAddress?: (address: string) => void;
}): Promise<Tree> {
  const minter = o.minter.publicKey;
  return makeAccount({
    ...o,
    minter,
    what: 'tree',
    sign: () => signTree(o),
    register: (address) => registerTree({ ...o, address, minter }),
  });
}

async function signTree(o: { rpc: Rpc; minter: SecretKey; plan: TreePlan }) {
  const { rpc, plan } = o;
  const minter = signerOf(o.minter);
  const tree = generateSigner(offlineUmi());
  const { rentLamports } = await priceTree(rpc, plan);
  const builder = buildTree({ plan, tree, minter, rentLamports });
  const signed = await signTransaction(builder, minter, await rpc.getLatestBlockhash());
  return { address: tree.publicKey.toString(), signed };
}
