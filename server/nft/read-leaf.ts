import type { Mint, MintAttempt } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import { dataHashOf, decodeLeafEvents, mintMetadataArgs, type LeafEvent } from './leaf';
import { signedCollection } from './signed-collection';

/** Leaf of a mint as its transaction wrote it, with the slot it is in. */
export type MintedLeaf = { leaf: LeafEvent; slot: bigint };

/**
 * Reads the leaf that a landed mint transaction wrote and checks that it is the one asked for: tree,
 * owner, collection and metadata. Null when the node does not have the transaction. Throws Error when
 * the transaction holds another leaf, and RpcUnavailable.
 */
export async function readLeaf(o: {
  rpc: Pick<Rpc, 'getTransaction'>;
  mint: Mint;
  attempt: Pick<MintAttempt, 'signature' | 'tree' | 'wire'>;
  commitment: 'confirmed' | 'finalized';
}): Promise<MintedLeaf | null> {
  const { mint, attempt } = o;
  const raw = await o.rpc.getTransaction(attempt.signature, o.commitment);
  // Landed on one fork and failed on another: the status will tell which of them stays.
  if (!raw?.meta || (raw.meta.err !== null && raw.meta.err !== undefined)) return null;
  const leaves = decodeLeafEvents(raw);
  const collection = signedCollection(attempt.wire);
  const leaf = leaves.find((one) => isOurs(one, mint, { tree: attempt.tree, collection }));
  if (!leaf)
    throw new Error(
      `transaction ${attempt.signature} of mint ${mint.id} holds ${leaves.length} leaves, none of them the one asked for`,
    );
  return { leaf, slot: BigInt(raw.slot) };
}

function isOurs(
  leaf: LeafEvent,
  mint: Mint,
  signed: { tree: string; collection: string | null },
): boolean {
  const expected = mintMetadataArgs({
    name: mint.name,
    uri: mint.metadataUri,
    // The key that signed, which by now need not be the one in use.
    creator: leaf.treeAuthority,
    collection: signed.collection,
  });
  return (
    leaf.tree === signed.tree &&
    leaf.owner === mint.owner &&
    leaf.collection === signed.collection &&
    leaf.dataHash === dataHashOf(expected)
  );
}
