import type { Mint, MintAttempt } from '@/generated/prisma/client';
import type { RawTransaction } from '@/server/chain/raw-transaction';
import type { Rpc } from '@/server/chain/rpc';
import { dataHashOf, decodeLeafEvents, mintMetadataArgs, type LeafEvent } from './leaf';

/** Leaf of a mint as its transaction wrote it, with the slot it is in and what the minter paid. */
export type MintedLeaf = { leaf: LeafEvent; slot: bigint; costLamports: bigint };

/**
 * Reads the leaf that a landed mint transaction wrote and checks that it is the one asked for: tree,
 * owner, collection and metadata. Null when the node does not have the transaction. Throws Error when
 * the transaction holds another leaf, and RpcUnavailable.
 */
export async function readLeaf(o: {
  rpc: Pick<Rpc, 'getTransaction'>;
  mint: Mint;
  attempt: Pick<MintAttempt, 'signature' | 'tree'>;
  commitment: 'confirmed' | 'finalized';
}): Promise<MintedLeaf | null> {
  const { mint, attempt } = o;
  const raw = await o.rpc.getTransaction(attempt.signature, o.commitment);
  // Landed on one fork and failed on another: the status will tell which of them stays.
  if (!raw?.meta || (raw.meta.err !== null && raw.meta.err !== undefined)) return null;
  const leaves = decodeLeafEvents(raw);
  const leaf = leaves.find((one) => isOurs(one, mint, attempt.tree));
  if (!leaf)
    throw new Error(
      `transaction ${attempt.signature} of mint ${mint.id} holds ${leaves.length} leaves, none of them the one asked for`,
    );
  return { leaf, slot: BigInt(raw.slot), costLamports: costOf(raw) };
}

/**
 * What a transaction took from the account that paid its fees, by the balances of that account: network fee,
 * priority fee and the fee of the Bubblegum program.
 */
export function costOf({ meta }: RawTransaction): bigint {
  const [before] = meta?.preBalances ?? [];
  const [after] = meta?.postBalances ?? [];
  return BigInt(before ?? 0) - BigInt(after ?? 0);
}

function isOurs(leaf: LeafEvent, mint: Mint, tree: string): boolean {
  const expected = mintMetadataArgs({
    name: mint.name,
    uri: mint.metadataUri,
    // The key that signed, which by now need not be the one in use.
    creator: leaf.treeAuthority,
    collection: mint.collection,
  });
  return (
    leaf.tree === tree &&
    leaf.owner === mint.owner &&
    leaf.collection === mint.collection &&
    leaf.dataHash === dataHashOf(expected)
  );
}
