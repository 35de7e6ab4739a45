import type { Mint, MintAttempt } from '@/generated/prisma/client';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import type { Rpc } from '@/server/chain/rpc';
import { isNodeSilence, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import {
  dataHashOf,
  decodeLeafEvents,
  mintMetadataArgs,
  type LeafEvent,
} from '@quittance/verify/nft/leaf';
import { signedCollection } from './signed-collection';

/** Leaf of a mint as its transaction wrote it, with the slot it is in and what the minter paid. */
export type MintedLeaf = { leaf: LeafEvent; slot: bigint; costLamports: bigint };

/**
 * Reads the leaf that a landed mint transaction wrote and checks that it is the one asked for: tree,
 * owner, collection and metadata. Each node is asked in turn, and the first that shows it counts. Null when none
 * of those that answer does: a node may lack the transaction or a part of it, or give another. Throws
 * RpcUnavailable when none answers.
 */
export async function readLeaf(o: {
  rpc: Pick<Rpc, 'nodes' | 'onNode'>;
  mint: Mint;
  attempt: Pick<MintAttempt, 'signature' | 'tree' | 'wire'>;
  commitment: 'confirmed' | 'finalized';
}): Promise<MintedLeaf | null> {
  let isAnswered = false;
  for (let node = 0; node < o.rpc.nodes; node += 1) {
    const raw = await giveOrSilence(o, node);
    if (raw === undefined) continue;
    isAnswered = true;
    const minted = raw && leafOf(raw, o);
    if (minted) return minted;
  }
  if (isAnswered) return null;
  throw new RpcUnavailable(`no node gives the mint transaction ${o.attempt.signature}`);
}

type Wanted = Parameters<typeof readLeaf>[0];

/** The transaction as one node gives it; undefined for a node that does not answer or refuses. */
async function giveOrSilence(
  { rpc, attempt, commitment }: Wanted,
  node: number,
): Promise<RawTransaction | null | undefined> {
  try {
    return await rpc.onNode(node).getTransaction(attempt.signature, commitment);
  } catch (error) {
    if (isNodeSilence(error)) return undefined;
    throw error;
  }
}

function leafOf(raw: RawTransaction, { mint, attempt }: Wanted): MintedLeaf | null {
  // Landed on one fork and failed on another: the status will tell which of them stays.
  if (!raw.meta || (raw.meta.err !== null && raw.meta.err !== undefined)) return null;
  const signed = { tree: attempt.tree, collection: signedCollection(attempt.wire) };
  const leaf = leavesOf(raw).find((one) => isOurs(one, mint, signed));
  return leaf ? { leaf, slot: BigInt(raw.slot), costLamports: costOf(raw) } : null;
}

/** None in an answer that is cut so that it cannot be read: another node may give it whole. */
function leavesOf(raw: RawTransaction): LeafEvent[] {
  try {
    return decodeLeafEvents(raw);
  } catch {
    return [];
  }
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
