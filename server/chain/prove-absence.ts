import { blockReader, mayHold, type BlockReader } from './block-reader';
import { BLOCKHASH_LIFE_BLOCKS } from './landing-margin';
import type { Rpc } from './rpc';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { walkWindow, type Window } from './walk-window';

/** What the blocks of one node say about a transaction that it gives no status of. */
export type NodeProof =
  /** The window is final, every block of it was read, and none holds the transaction. */
  | { state: 'absent' }
  /** A finalized block holds it, whatever the node's index of transactions says. */
  | { state: 'held'; slot: bigint; err: unknown }
  /** The window is not final yet, or not read to its end: ask again. */
  | { state: 'early' }
  /** The node lacks a block or does not answer. */
  | { state: 'unproven'; reason: string };

type Tip = { slot: bigint; height: bigint };
type Asked = {
  rpc: Pick<Rpc, 'calls' | 'onNode' | 'unmetered'>;
  node: number;
  signature: string;
  /** The node's last finalized block, asked for before the status that was missing. */
  tip: Tip;
  /** Until when to read, on the clock of `performance.now()`. */
  until: number;
};

/** The window of a transaction whose blockhash can be no older than its last valid block height says. */
export function windowUpTo(lastValidBlockHeight: bigint, blocks = BLOCKHASH_LIFE_BLOCKS): Window {
  const from = lastValidBlockHeight - blocks;
  return { from: from > 0n ? from : 0n, to: lastValidBlockHeight };
}

/**
 * Reads every block in which a transaction could land. A missing status, `getBlocks` and `minimumLedgerSlot`
 * prove nothing: a node may have lost a part of its history and not know it. Never throws for a node that
 * does not answer.
 */
export async function proveAbsence(
  o: Asked & { windowOf: (reader: BlockReader, tip: Tip) => Promise<Window | null> },
): Promise<NodeProof> {
  const { signature, tip, until } = o;
  const reader = blockReader(o.rpc, o.node);
  try {
    const window = await o.windowOf(reader, tip);
    if (window === null)
      return { state: 'unproven', reason: 'it lacks the block to count the window from' };
    if (tip.height <= window.to) return { state: 'early' };
    const isWanted = (note: Parameters<typeof mayHold>[0]) => mayHold(note, signature);
    const walk = await walkWindow(reader, { window, tip, until, isWanted });
    if (walk.state === 'whole') return { state: 'absent' };
    if (walk.state === 'unfinished') return { state: 'early' };
    if (walk.state === 'gap') return { state: 'unproven', reason: walk.reason };
    return await readHeld(o, walk.slot);
  } catch (error) {
    if (isNodeSilence(error)) return { state: 'unproven', reason: error.message };
    throw error;
  }
}

/** How a transaction ended that a block holds. */
async function readHeld({ rpc, node, signature }: Asked, slot: bigint): Promise<NodeProof> {
  const transactions = await rpc.onNode(node).getBlockTransactions(slot);
  const found = transactions?.find((one) => one.signature === signature);
  if (found) return { state: 'held', slot, err: found.err };
  return { state: 'unproven', reason: `its block ${slot} seems to hold it and does not show it` };
}
