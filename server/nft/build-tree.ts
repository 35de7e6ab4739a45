import { createTreeConfigV2 } from '@metaplex-foundation/mpl-bubblegum';
import { createAccount, setComputeUnitLimit } from '@metaplex-foundation/mpl-toolbox';
import { publicKey, type Signer, type TransactionBuilder } from '@metaplex-foundation/umi';
import { offlineUmi } from './offline-umi';
import type { TreePlan } from './plan-tree';
import { COMPRESSION_PROGRAM } from '@quittance/verify/nft/programs';

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
