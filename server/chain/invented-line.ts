import { agreeOnAbsence } from './agree-on-absence';
import { lastBlock, type BlockReader } from './block-reader';
import { proveAbsence, type NodeProof } from './prove-absence';
import { MOST_APART } from './proven-top';
import type { Rpc } from './rpc';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import type { Window } from './walk-window';

type Line = { signature: string; slot: bigint };
/** `known`: it gives a status. `ahead`: the slot of the line is far above what it knows. */
type Said = NodeProof | { state: 'known' } | { state: 'ahead' };

/** How long one look reads blocks; what it has read is kept for the next. */
const READ_MS = 2_000;

/**
 * Whether a transaction that a node lists in a history, and that no node gives, does not exist. No node may know a
 * status of it, and the final block of its slot must be read without it on two nodes, or on the one there is. A slot
 * far above what every node knows is no slot of this chain. False while that is not proven. Never throws for a node
 * that does not answer.
 */
export async function isInvented(rpc: Rpc, line: Line): Promise<boolean> {
  const all = Array.from({ length: rpc.nodes }, (_, node) => askNode(rpc, node, line));
  const said = await Promise.all(all);
  if (said.every(({ state }) => state === 'ahead')) return true;
  const proofs = said.flatMap((one) =>
    one.state === 'known' || one.state === 'held' || one.state === 'ahead' ? [] : [one],
  );
  return proofs.length === said.length && agreeOnAbsence(proofs).state === 'gone';
}

async function askNode(rpc: Rpc, node: number, { signature, slot }: Line): Promise<Said> {
  try {
    const one = rpc.onNode(node);
    const tip = await one.getFinalizedTip();
    const seen = await one.seeSignature(signature);
    if (seen.status !== null) return { state: 'known' };
    if (slot > seen.slot + MOST_APART) return { state: 'ahead' };
    if (seen.slot < tip.slot || tip.slot <= slot) return { state: 'early' };
    return await proveAbsence({
      ...{ rpc, node, signature, tip },
      until: performance.now() + READ_MS,
      windowOf: (reader) => windowAt(reader, slot),
    });
  } catch (error) {
    if (isNodeSilence(error)) return { state: 'unproven', reason: error.message };
    throw error;
  }
}

/** The last block at a slot and the one after it: linked to each other, they leave no room for another between. */
async function windowAt(reader: BlockReader, slot: bigint): Promise<Window | null> {
  const block = await lastBlock(reader, slot);
  return block && { from: block.height, to: block.height + 1n };
}
