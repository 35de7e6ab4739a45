import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { agreeOnAbsence, type NodeProof, proveAbsence } from './absence';
import { blockReader, type BlockReader, lastBlock, walkWindow, type Window } from './block-reader';
import { MOST_APART } from './landing-margin';
import type { Rpc } from './rpc';

/** Blocks read in full at once. */
const AT_ONCE = 8;

/**
 * Whether one node's history of an account is complete for a window. Every block of the window is
 * read in full, and each transaction that names the account must be in the history. `absent` means
 * that nothing is missing. On a public cluster a block costs a node some megabytes, so only a
 * service with one node does it.
 */
export async function proveHistory(o: {
  rpc: Pick<Rpc, 'calls' | 'onNode' | 'unmetered'>;
  node: number;
  account: string;
  window: Window;
  tip: { slot: bigint; height: bigint };
  until: number;
}): Promise<NodeProof> {
  const { window, tip, until } = o;
  if (tip.height <= window.to) return { state: 'early' };
  const one = o.rpc.onNode(o.node);
  try {
    const isWanted = () => false;
    const walk = await walkWindow(blockReader(o.rpc, o.node), { window, tip, until, isWanted });
    if (walk.state === 'gap') return { state: 'unproven', reason: walk.reason };
    if (walk.state !== 'whole') return { state: 'early' };
    const lines = await one.getSignaturesForAddress(o.account);
    const known = new Set(lines.map(({ signature }) => signature));
    for (let at = 0; at < walk.slots.length; at += AT_ONCE) {
      const slots = walk.slots.slice(at, at + AT_ONCE);
      const blocks = await Promise.all(slots.map((slot) => one.getBlockTransactions(slot)));
      if (blocks.includes(null)) return { state: 'unproven', reason: 'it lost a block meanwhile' };
      const missing = blocks
        .flatMap((block) => block ?? [])
        .find(({ signature, accounts }) => accounts.includes(o.account) && !known.has(signature));
      if (missing) return { state: 'unproven', reason: `its history lacks ${missing.signature}` };
    }
    return { state: 'absent' };
  } catch (error) {
    if (isNodeSilence(error)) return { state: 'unproven', reason: error.message };
    throw error;
  }
}

type Line = { signature: string; slot: bigint };
/** `known`: it gives a status. `ahead`: the slot of the line is far above what it knows. */
type Said = NodeProof | { state: 'known' } | { state: 'ahead' };

/** How long one poll reads blocks. Blocks that were read are kept for the next. */
const READ_MS = 2_000;

/**
 * Whether a transaction that a node lists in a history, and that no node returns, does not exist.
 * No node may know a status of it. The final block of its slot must have been read without it on
 * two nodes, or on the only one. A slot far above every node's is no slot of this chain. False
 * while that is not proven. Never throws for a node that does not answer.
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
      rpc,
      node,
      signature,
      tip,
      until: performance.now() + READ_MS,
      windowOf: (reader) => windowAt(reader, slot),
    });
  } catch (error) {
    if (isNodeSilence(error)) return { state: 'unproven', reason: error.message };
    throw error;
  }
}

/** The last block at a slot and the one after it: linked to each other, they leave no place for another between them. */
async function windowAt(reader: BlockReader, slot: bigint): Promise<Window | null> {
  const block = await lastBlock(reader, slot);
  return block && { from: block.height, to: block.height + 1n };
}
