import { sign } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { ed25519PrivateKey } from '@quittance/verify/ed25519';
import bs58 from 'bs58';
import { LANDING_WINDOW_BLOCKS, MARGIN_BLOCKS } from '@/server/chain/landing-margin';
import { SECOND_NODE_MS } from '@/server/chain/node-statuses';
import { rpc, type Rpc } from '@/server/chain/rpc';
import { env, type Network, type SecretKey } from '@/server/env';
import { noteLone } from '@/server/metrics';
import { judgeSettlement } from '@/server/nft/judge-attempt';
import { readWireMessage } from '../read-payment-header';
import { scanWire } from './scan-wire';

/** The parts that verifying and settling use. */
export type FacilitatorParts = { rpc: Rpc; network: Network; feePayer: SecretKey };

/** The parts of this process. */
export function facilitatorParts(): FacilitatorParts {
  return { rpc: rpc(), network: env().network, feePayer: env().feePayer };
}

/** Address of the key that pays the network fee of v1 and v2 payments, for `extra.feePayer`. */
export function feePayer(): string {
  return env().feePayer.publicKey;
}

/**
 * Signs a verified payment as its fee payer, and returns the height until which it can land. Its
 * blockhash was known at verification, so it ends no later than the newest one does now. Sends
 * nothing. Throws RpcUnavailable, and Error for bytes that verifyExact has not accepted.
 */
export async function signExact(
  o: { wire: Uint8Array },
  { rpc, feePayer }: FacilitatorParts = facilitatorParts(),
): Promise<{ wire: Uint8Array; signature: string; lastValidBlockHeight: bigint }> {
  const read = readWireMessage(o.wire);
  if (read?.transaction.staticKeys[0] !== feePayer.publicKey)
    throw new Error('the fee payer of this transaction is another key');
  // The key signs here and nowhere else, so the list of allowed contents is checked here again.
  const reason = scanWire(read.transaction, feePayer.publicKey);
  if (reason !== null) throw new Error(`the fee payer does not sign this transaction: ${reason}`);
  const { lastValidBlockHeight } = await rpc.getLatestBlockhash();
  const wire = new Uint8Array(o.wire);
  const signature = sign(null, read.message, ed25519PrivateKey(feePayer.secret));
  wire.set(signature, 1);
  return {
    wire,
    signature: bs58.encode(signature),
    lastValidBlockHeight: lastValidBlockHeight + MARGIN_BLOCKS,
  };
}

export type SettledPayment =
  | { state: 'settled'; slot: bigint }
  /**
   * It may have landed or may still land, or only one node reports it as landed. Settle the same
   * bytes again.
   */
  | { state: 'pending' }
  /**
   * Its blockhash has ended and the nodes cannot prove whether it landed. Nothing is freed, and
   * nobody pays again.
   */
  | { state: 'undecided'; reason: string }
  /** It can no longer land, and nothing was moved. */
  | { state: 'failed' | 'expired'; reason: string };

const POLL_MS = 400;
const LOOKS_BETWEEN_SENDS = 5;

/**
 * Sends a signed payment that is on record, and polls for `waitMs` until it is confirmed. The same
 * bytes never charge twice, so any process may call it any number of times until the answer is no
 * longer `pending`. Silent nodes count as `pending` too.
 */
export async function settleExact(
  o: { wire: Uint8Array; signature: string; lastValidBlockHeight: bigint; waitMs: number },
  { rpc }: Pick<FacilitatorParts, 'rpc'> = facilitatorParts(),
): Promise<SettledPayment> {
  const wire = Buffer.from(o.wire).toString('base64');
  let until = performance.now() + o.waitMs;
  for (let look = 0; ; look += 1) {
    if (look % LOOKS_BETWEEN_SENDS === 0) await send(rpc, wire);
    const verdict = await judge(rpc, o);
    noteLone(o.signature, verdict.state === 'unwitnessed');
    if (verdict.state === 'landed') return { state: 'settled', slot: verdict.slot };
    if (verdict.state === 'failed') return { state: 'failed', reason: 'transaction_failed' };
    if (verdict.state === 'expired') return { state: 'expired', reason: 'transaction_expired' };
    if (verdict.state === 'undecided') return verdict;
    // The wait begins when one node first calls it landed. A later poll does not extend it.
    if (verdict.state === 'unwitnessed')
      until = Math.min(until, performance.now() + SECOND_NODE_MS);
    if (performance.now() + POLL_MS > until) return { state: 'pending' };
    await sleep(POLL_MS);
  }
}

/**
 * Without preflight: it was simulated before, and a refusal by a node would not undo an earlier
 * send.
 */
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
): ReturnType<typeof judgeSettlement> {
  try {
    return await judgeSettlement({ rpc, attempt, windowBlocks: LANDING_WINDOW_BLOCKS });
  } catch (error) {
    if (isNodeSilence(error)) return { state: 'in_flight' };
    throw error;
  }
}
