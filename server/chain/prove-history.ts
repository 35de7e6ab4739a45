import { blockReader } from './block-reader';
import type { NodeProof } from './prove-absence';
import type { Rpc } from './rpc';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { walkWindow, type Window } from './walk-window';

/** Blocks read in full at once. */
const AT_ONCE = 8;

/**
 * Whether one node's history of an account has all that happened to it in a window: every block of the window is
 * read in full, and each transaction that names the account must be in the history. `absent` means that nothing is
 * missing. It costs a node some megabytes a block on a public cluster, so it is for a service with one node alone.
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
