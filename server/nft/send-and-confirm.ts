import { setTimeout as sleep } from 'node:timers/promises';
import type { Rpc } from '@/server/chain/rpc';
import { RpcRefused } from '@quittance/verify/chain/rpc-errors';
import { mayHaveLanded } from '@/server/chain/send-to-all';
import { judgeAttempt } from './judge-attempt';
import { describeError } from './program-error';
import type { SignedTransaction } from './sign-transaction';

const POLL_MS = 400;
const LOOKS_BETWEEN_SENDS = 5;

/** Failed: the chain took it and said no. Expired: proven that it can no longer land. */
export type Settled =
  { state: 'landed'; slot: bigint } | { state: 'failed'; error: string } | { state: 'expired' };

type Sendable = Pick<SignedTransaction, 'signature' | 'wire' | 'lastValidBlockHeight'>;

/**
 * Sends an operator's transaction and polls until it is confirmed, failed or can no longer land. Throws Error
 * when a node refuses it or the nodes cannot prove what became of it, and RpcUnavailable.
 */
export async function sendUntilSettled(rpc: Rpc, signed: Sendable): Promise<Settled> {
  const wire = Buffer.from(signed.wire).toString('base64');
  for (let look = 0; ; look += 1) {
    if (look % LOOKS_BETWEEN_SENDS === 0) await send(rpc, wire, look > 0);
    const verdict = await judgeAttempt({ rpc, attempt: signed });
    if (verdict.state === 'landed') return { state: 'landed', slot: verdict.slot };
    if (verdict.state === 'expired') return { state: 'expired' };
    if (verdict.state === 'failed')
      return {
        state: 'failed',
        error: `transaction ${signed.signature} failed: ${describeError(verdict.err)}`,
      };
    if (verdict.state === 'undecided')
      throw new Error(
        `the nodes cannot prove whether transaction ${signed.signature} landed: ${verdict.reason}. Look it up in an explorer before you repeat the command`,
      );
    await sleep(POLL_MS);
  }
}

async function send(rpc: Rpc, wire: string, isRepeat: boolean): Promise<void> {
  try {
    await rpc.sendTransaction(wire, { skipPreflight: isRepeat });
  } catch (error) {
    if (!(error instanceof RpcRefused) || !mayHaveLanded(error)) throw error;
  }
}
