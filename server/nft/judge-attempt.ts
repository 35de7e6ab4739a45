import type { Rpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@/server/chain/rpc-errors';
import type { SignatureStatus } from '@/server/chain/rpc-schemas';

/** What the nodes together know about a signed transaction. */
export type Verdict =
  | { state: 'landed'; slot: bigint; isFinal: boolean }
  /** It failed on chain and that is final: it can no longer land. */
  | { state: 'failed'; err: unknown }
  /** It is nowhere and its blockhash is too old: it can no longer land. */
  | { state: 'expired' }
  | { state: 'in_flight' };

type Sent = { signature: string; lastValidBlockHeight: bigint };

/** A node alone may be lagging or lying about an absence; where there are several, two must agree. */
const AGREEING_NODES = 2;

/**
 * Finds out whether a transaction landed, failed or can no longer land. Each node is asked for its final
 * block first and for the status second: then an absence at a height past the last valid one is for
 * good. One address may hide several machines: the one that knows no status must have seen that block. Throws RpcUnavailable when no node answers.
 */
export async function judgeAttempt(o: { rpc: Rpc; attempt: Sent }): Promise<Verdict> {
  const { rpc, attempt } = o;
  const views = await Promise.all(
    Array.from({ length: rpc.nodes }, (_, node) => viewOf(rpc, node, attempt)),
  );
  const seen = views.flatMap((view) => (typeof view === 'object' ? [view] : []));
  const [first] = seen.sort((a, b) => weight(a) - weight(b));
  if (first) return first;
  const gone = views.filter((view) => view === 'gone').length;
  if (gone >= Math.min(AGREEING_NODES, rpc.nodes)) return { state: 'expired' };
  if (views.every((view) => view === 'unknown'))
    throw new RpcUnavailable(`no node could tell the status of ${attempt.signature}`);
  return { state: 'in_flight' };
}

/** One cheap question between two thorough ones: enough to see that it landed. */
export async function glanceAt(o: { rpc: Rpc; attempt: Sent }): Promise<Verdict> {
  try {
    const [status] = await o.rpc.getSignatureStatuses([o.attempt.signature]);
    return status ? readStatus(status) : { state: 'in_flight' };
  } catch (error) {
    // The thorough question asks each node for itself and can do with fewer of them.
    if (error instanceof RpcUnavailable) return { state: 'in_flight' };
    throw error;
  }
}

/** Final verdicts first. */
function weight(verdict: Verdict): number {
  if (verdict.state === 'failed') return 0;
  if (verdict.state === 'landed') return verdict.isFinal ? 0 : 1;
  return 2;
}

async function viewOf(
  rpc: Rpc,
  node: number,
  { signature, lastValidBlockHeight }: Sent,
): Promise<Verdict | 'gone' | 'absent' | 'unknown'> {
  try {
    const one = rpc.onNode(node);
    const tip = await one.getFinalizedTip();
    const seen = await one.seeSignature(signature);
    if (seen.status) return readStatus(seen.status);
    return tip.height > lastValidBlockHeight && seen.slot >= tip.slot ? 'gone' : 'absent';
  } catch (error) {
    if (error instanceof RpcUnavailable) return 'unknown';
    throw error;
  }
}

/**
 * A failure counts once it is final: on another fork the same bytes might still land. A landing counts
 * from `confirmed` on; the mint is looked at again when it is final.
 */
function readStatus(status: SignatureStatus): Verdict {
  const isFinal = status.confirmationStatus === 'finalized';
  if (status.err !== null)
    return isFinal ? { state: 'failed', err: status.err } : { state: 'in_flight' };
  if (isFinal || status.confirmationStatus === 'confirmed')
    return { state: 'landed', slot: status.slot, isFinal };
  return { state: 'in_flight' };
}
