import { agreeOnAbsence, type Agreement } from './agree-on-absence';
import { lastBlock, type BlockReader } from './block-reader';
import { BLOCKHASH_LIFE_BLOCKS, proveAbsence, type NodeProof } from './prove-absence';
import type { Rpc } from './rpc';
import type { Window } from './walk-window';

/** How far two forks may differ in height at one slot; the cluster votes none that differs more. */
const FORK_BLOCKS = 64n;
/** How long one look reads blocks; what it has read is kept for the next. */
const READ_MS = 4_000;
/** Slots after which no node that keeps up may still be about to call it failed as another does. */
const OVER_SLOTS = 300n;
const FAILED_HERE = 'it says that it failed';

/**
 * Whether a transaction that was seen in `seenSlot` is gone for good. Its blockhash was valid there, so every
 * block from one blockhash life before to one after, and a fork's length more, is read: two nodes must prove
 * that none holds it, or the one there is. Throws RpcUnavailable when a node does not answer.
 */
export async function lookForDropped(o: {
  rpc: Rpc;
  signature: string;
  seenSlot: bigint;
}): Promise<Agreement> {
  const views = await Promise.all(Array.from({ length: o.rpc.nodes }, (_, node) => view(o, node)));
  // A node that has it, in whatever state, is asked for that by signatureFinality.
  if (views.some((one) => one.state === 'held')) return { state: 'open' };
  const proofs = views.flatMap((one) => (one.state === 'held' ? [] : [one]));
  const isContested = proofs.some((one) => one.state === 'unproven' && one.reason === FAILED_HERE);
  // Where one node calls it failed, the others get their time to say so too.
  if (isContested && proofs.some(({ state }) => state === 'early')) return { state: 'open' };
  return agreeOnAbsence(proofs);
}

async function view(
  o: { rpc: Rpc; signature: string; seenSlot: bigint },
  node: number,
): Promise<NodeProof> {
  const { rpc, signature, seenSlot } = o;
  const one = rpc.onNode(node);
  const tip = await one.getFinalizedTip();
  const { status, slot } = await one.seeSignature(signature);
  if (status !== null && status.err !== null && status.confirmationStatus === 'finalized')
    return tip.slot > seenSlot + OVER_SLOTS
      ? { state: 'unproven', reason: FAILED_HERE }
      : { state: 'early' };
  if (status !== null) return { state: 'held', slot: status.slot, err: status.err };
  // One address may hide several machines: the one that knows nothing must have seen that block.
  if (slot < tip.slot || tip.slot <= seenSlot) return { state: 'early' };
  return proveAbsence({
    ...{ rpc, node, signature, tip },
    until: performance.now() + READ_MS,
    windowOf: (reader) => windowAround(reader, seenSlot),
  });
}

async function windowAround(reader: BlockReader, seenSlot: bigint): Promise<Window | null> {
  const block = await lastBlock(reader, seenSlot);
  if (block === null) return null;
  const from = block.height - BLOCKHASH_LIFE_BLOCKS;
  const to = block.height + BLOCKHASH_LIFE_BLOCKS + FORK_BLOCKS;
  return { from: from > 0n ? from : 0n, to };
}
