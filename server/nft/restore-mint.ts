import { decodeLeafEvents, type LeafEvent } from '@quittance/verify/nft/leaf';
import type { ServiceContext } from '@/server/context';
import type { Db } from '@/server/db/client';
import type { MintKind } from './mint-rows';

/**
 * Records that a mint is completed by a final transaction of the chain, whatever is on record: nothing,
 * or an earlier state. Its other transactions, open or said to have landed, are over: at most one counts. The
 * caller has checked whether another one landed as well.
 */
export async function restoreMint(
  tx: Db,
  o: {
    id: string;
    kind: MintKind;
    leaf: LeafEvent;
    signature: string;
    slot: bigint;
    metadataItemId: string;
    imageItemId: string;
    transactionSignature: string | null;
    mintedAt: Date;
    now: Date;
  },
): Promise<void> {
  const { id, leaf, now } = o;
  const done = {
    status: 'completed',
    stage: 'closed',
    lastError: null,
    mintSignature: o.signature,
    mintSlot: o.slot,
    tree: leaf.tree,
    leafIndex: leaf.leafIndex,
    assetId: leaf.assetId,
    collection: leaf.collection,
    completedAt: o.mintedAt,
    finalAt: now,
    updatedAt: now,
    redriveAt: now,
  } as const;
  await tx.mint.upsert({
    where: { id },
    create: {
      id,
      kind: o.kind,
      owner: leaf.owner,
      name: leaf.metadata.name,
      metadataUri: leaf.metadata.uri,
      metadataItemId: o.metadataItemId,
      imageItemId: o.imageItemId,
      transactionSignature: o.transactionSignature,
      createdAt: o.mintedAt,
      ...done,
    },
    update: { ...done, fence: { increment: 1 }, leaseUntil: null, leaseOwner: null },
  });
  await tx.mintAttempt.updateMany({
    where: {
      mintId: id,
      OR: [{ outcome: null }, { outcome: 'landed' }],
      signature: { not: o.signature },
    },
    data: { outcome: 'expired', error: 'another transaction had minted it', settledAt: now },
  });
  await tx.mintAttempt.updateMany({
    where: { mintId: id, signature: o.signature },
    data: { outcome: 'landed', settledAt: now },
  });
  const leaves = leaf.leafIndex + 1n;
  await tx.tree.updateMany({
    where: { address: leaf.tree, minted: { lt: leaves } },
    data: { minted: leaves },
  });
}

/** Ends a mint for another one that has the NFT, in the caller's transaction; no worker continues it. */
export async function giveUpMint(
  tx: Db,
  { id, why, now }: { id: string; why: string; now: Date },
): Promise<void> {
  await tx.mint.updateMany({
    where: { id },
    data: {
      status: 'failed',
      lastError: why,
      leaseOwner: null,
      leaseUntil: null,
      fence: { increment: 1 },
      updatedAt: now,
    },
  });
}

/**
 * Another NFT of the same name that completes the mint and is on chain: then a leaf is a second
 * one. Null if the leaf is the only one. One that is on record but not on chain does not count.
 * Throws RpcUnavailable.
 */
export async function otherNftOf(
  { db, rpc }: Pick<ServiceContext, 'db' | 'rpc'>,
  o: { id: string; leaf: LeafEvent; signature: string },
): Promise<{ assetId: string; signature: string } | null> {
  const mint = await db.mint.findUnique({
    where: { id: o.id },
    select: { status: true, mintSignature: true },
  });
  const signature = mint?.mintSignature ?? null;
  if (mint?.status !== 'completed' || signature === null || signature === o.signature) return null;
  const transaction = await rpc.getTransaction(signature, 'finalized');
  const other = (transaction ? decodeLeafEvents(transaction) : []).find(
    ({ metadata }) => metadata.name === o.leaf.metadata.name,
  );
  return other ? { assetId: other.assetId, signature } : null;
}

/** Why a second NFT of one receipt or statement stays. */
export function secondNft(
  what: string,
  { leaf, other }: { leaf: LeafEvent; other: { assetId: string } },
): string {
  return `${what} has two NFTs: ${other.assetId} stays its NFT, ${leaf.assetId} is a second one`;
}
