import { createTreeConfigV2 } from '@metaplex-foundation/mpl-bubblegum';
import { createAccount, setComputeUnitLimit } from '@metaplex-foundation/mpl-toolbox';
import {
  generateSigner,
  publicKey,
  type Signer,
  type TransactionBuilder,
} from '@metaplex-foundation/umi';
import { COMPRESSION_PROGRAM } from '@quittance/verify/nft/programs';
import type { Tree } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import type { Network, SecretKey } from '@/server/env';
import { makeAccount } from './begun-account';
import { offlineUmi, signerOf, signTransaction } from './offline-umi';
import { priceTree, type TreePlan } from './plan-tree';
import { registerTree } from './trees';

/**
 * Creates a tree and registers it, or finishes the one that an earlier run began, of any size.
 * `onAddress` gets its address before anything is spent. Throws Error when the chain refuses, and
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

/** Measured with the real programs: 26,000 units at depth 3, 148,000 at depth 20 with a buffer of 256. */
const UNITS = 600_000;

/** The transaction that makes a tree's account and its Bubblegum V2 configuration, private to `minter`. */
export function buildTree(o: {
  plan: TreePlan;
  tree: Signer;
  minter: Signer;
  rentLamports: bigint;
}): TransactionBuilder {
  const umi = offlineUmi();
  return setComputeUnitLimit(umi, { units: UNITS })
    .add(
      createAccount(umi, {
        payer: o.minter,
        newAccount: o.tree,
        lamports: { basisPoints: o.rentLamports, identifier: 'SOL', decimals: 9 },
        space: o.plan.bytes,
        programId: publicKey(COMPRESSION_PROGRAM),
      }),
    )
    .add(
      createTreeConfigV2(umi, {
        merkleTree: o.tree.publicKey,
        payer: o.minter,
        treeCreator: o.minter,
        maxDepth: o.plan.depth,
        maxBufferSize: o.plan.buffer,
        public: false,
      }),
    );
}
