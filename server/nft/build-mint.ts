import { mintV2 } from '@metaplex-foundation/mpl-bubblegum';
import { setComputeUnitLimit, setComputeUnitPrice } from '@metaplex-foundation/mpl-toolbox';
import { publicKey, type Signer, type TransactionBuilder } from '@metaplex-foundation/umi';
import type { Mint } from '@/generated/prisma/client';
import { mintMetadataArgs } from '@quittance/verify/nft/leaf';
import { offlineUmi } from './offline-umi';

/** Measured with the real programs: 47,000 to 64,000 units, with a collection 72,000 to 84,000. */
const UNITS = 120_000;
const UNITS_WITH_COLLECTION = 150_000;

/**
 * The transaction that mints one NFT to its owner: limit and price of compute, then `mint_v2` with the
 * minter as payer, tree authority and verified creator.
 */
export function buildMint(o: {
  mint: Pick<Mint, 'name' | 'metadataUri' | 'owner'>;
  /** Collection of the minter that the NFT goes into; null for none. */
  collection: string | null;
  tree: string;
  minter: Signer;
  priorityFeeMicroLamports: number;
}): TransactionBuilder {
  const umi = offlineUmi();
  const { mint, minter, collection } = o;
  const units = collection === null ? UNITS : UNITS_WITH_COLLECTION;
  return setComputeUnitLimit(umi, { units })
    .add(setComputeUnitPrice(umi, { microLamports: o.priorityFeeMicroLamports }))
    .add(
      mintV2(umi, {
        payer: minter,
        leafOwner: publicKey(mint.owner),
        merkleTree: publicKey(o.tree),
        metadata: mintMetadataArgs({
          name: mint.name,
          uri: mint.metadataUri,
          creator: minter.publicKey,
          collection,
        }),
        ...(collection === null ? {} : { coreCollection: publicKey(collection) }),
      }),
    );
}
