import type { Db } from '@/server/db/client';
import type { LeafEvent } from '@quittance/verify/nft/leaf';
import type { MintKind } from './mint-state';

/**
 * Writes that a mint is completed by a final transaction of the chain, whatever is on record of it: nothing,
 * or an earlier state. Its other transactions, open or said to have landed, are over: at most one counts. The
 * caller has looked whether another one landed as well (other-nft.ts).
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
    ...{ status: 'completed', stage: 'closed', lastError: null },
    ...{ mintSignature: o.signature, mintSlot: o.slot, tree: leaf.tree },
    ...{ leafIndex: leaf.leafIndex, assetId: leaf.assetId, collection: leaf.collection },
    ...{ completedAt: o.mintedAt, finalAt: now, updatedAt: now, redriveAt: now },
  };
  await tx.mint.upsert({
    where: { id },
    create: {
      ...{ id, kind: o.kind, owner: leaf.owner, name: leaf.metadata.name },
      ...{ metadataUri: leaf.metadata.uri, metadataItemId: o.metadataItemId },
      ...{ imageItemId: o.imageItemId, transactionSignature: o.transactionSignature },
      ...{ createdAt: o.mintedAt, ...done },
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
