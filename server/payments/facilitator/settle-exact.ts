import { setTimeout as sleep } from 'node:timers/promises';
import { LANDING_WINDOW_BLOCKS } from '@/server/chain/landing-margin';
import type { Rpc } from '@/server/chain/rpc';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { judgeAttempt, type Verdict } from '@/server/nft/judge-attempt';
import { facilitatorParts, type FacilitatorParts } from './facilitator-parts';

export type SettledPayment =
  | { state: 'settled'; slot: bigint }
  /** It may have landed or may still land: settle the same bytes again. */
  | { state: 'pending' }
  /** Its time is over and the nodes cannot prove whether it landed: nothing is freed, and nobody pays anew. */
  | { state: 'undecided'; reason: string }
  /** It can no longer land, and nothing was moved. */
  | { state: 'failed' | 'expired'; reason: string };

const POLL_MS = 400;
const LOOKS_BETWEEN_SENDS = 5;

/**
 * Sends a signed payment that is on record, and looks for `waitMs` whether it is confirmed. Sending the
 * same bytes again charges nobody twice, so it may be called any number of times, from any process, until
 * the answer is another than `pending`. Silent nodes are `pending` too.
 */
export async function settleExact(
  o: { wire: Uint8Array; signature: string; lastValidBlockHeight: bigint; waitMs: number },
  { rpc }: Pick<FacilitatorParts, 'rpc'> = facilitatorParts(),
): Promise<SettledPayment> {
  const wire = Buffer.from(o.wire).toString('base64');
  const deadline = performance.now() + o.waitMs;
  for (let look = 0; ; look += 1) {
    if (look % LOOKS_BETWEEN_SENDS === 0) await send(rpc, wire);
    const verdict = await judge(rpc, o);
    if (verdict.state === 'landed') return { state: 'settled', slot: verdict.slot };
    if (verdict.state === 'failed') return { state: 'failed', reason: 'transaction_failed' };
    if (verdict.state === 'expired') return { state: 'expired', reason: 'transaction_expired' };
    if (verdict.state === 'undecided') return verdict;
    if (performance.now() + POLL_MS > deadline) return { state: 'pending' };
    await sleep(POLL_MS);
  }
}

/** Past the preflight: it was simulated before, and a node's no would not undo an earlier send. */
async function send(rpc: Rpc, wire: string): Promise<void> {
  try {
    await rpc.sendTransaction(wire, { skipPreflight: true });
  } catch (error) {
    if (!isNodeSilence(error)) throw error;
  }
}

async function judge(
  rpc: Rpc,
  attempt: { signature: string; lastValidBlockHeight: bigint },
): Promise<Verdict> {
  try {
    return await judgeAttempt({ rpc, attempt, windowBlocks: LANDING_WINDOW_BLOCKS });
  } catch (error) {
    if (isNodeSilence(error)) return { state: 'in_flight' };
    throw error;
  }
}
