import { generateSigner } from '@metaplex-foundation/umi';
import type { Tree } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import type { Network, SecretKey } from '@/server/env';
import { buildTree } from './build-tree';
import { offlineUmi, signerOf } from './offline-umi';
import type { TreePlan } from './plan-tree';
import { priceTree } from './price-tree';
import { registerTree } from './register-tree';
import { sendAndConfirm } from './send-and-confirm';
import { signTransaction } from './sign-transaction';

/**
 * Makes a tree and registers it. `onAddress` is told its address before anything is spent: should the
 * process end in between, the tree can be registered by address. Throws Error when the chain refuses.
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
  const { rpc, plan } = o;
  const minter = signerOf(o.minter);
  const tree = generateSigner(offlineUmi());
  const { rentLamports } = await priceTree(rpc, plan);
  const builder = buildTree({ plan, tree, minter, rentLamports });
  const signed = await signTransaction(builder, minter, await rpc.getLatestBlockhash());
  o.onAddress?.(tree.publicKey);
  await sendAndConfirm(rpc, signed);
  return registerTree({ ...o, address: tree.publicKey, minter: o.minter.publicKey });
}
