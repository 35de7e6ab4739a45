import type { ServiceContext } from '@/server/context';
import { decodeLeafEvents, type LeafEvent } from '@quittance/verify/nft/leaf';

/**
 * Another NFT of the same name that a mint is completed by, and that the chain holds too: then a leaf is a second
 * one. Null where the leaf is the only one; what is on record but not on the chain does not count.
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

/** Why a second NFT of one receipt or statement is left alone. */
export function secondNft(
  what: string,
  { leaf, other }: { leaf: LeafEvent; other: { assetId: string } },
): string {
  return `${what} has two NFTs: ${other.assetId} stays its NFT, ${leaf.assetId} is a second one`;
}
