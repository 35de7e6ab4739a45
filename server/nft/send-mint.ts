import type { MintAttempt } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import { RpcRefused, RpcUnavailable } from '@/server/chain/rpc-errors';
import type { Db } from '@/server/db/client';
import { z } from 'zod';
import { markTreeFull } from './mark-tree-full';
import {
  describeError,
  isLackOfMoney,
  MINTER_CANNOT_PAY,
  programErrorCode,
  TREE_FULL,
} from './program-error';

export type SendResult =
  /** On its way, or there already. */
  | { state: 'sent' }
  /** A node foresees that it fails. It may still be on its way: settling decides. */
  | { state: 'refused'; code: number | null; error: string }
  | { state: 'waiting'; reason: string };

const preflight = z.object({ err: z.unknown() });

/**
 * Sends the stored bytes, which may be done any number of times. The first time a node tries them out
 * beforehand; a refusal closes nothing, since an earlier try may have got through, so the same bytes
 * are sent past the check and the chain itself says no, at the cost of a network fee. Where the minter
 * cannot pay, nothing is sent and the attempt keeps the reason: its expiry will be nobody's refusal.
 */
export async function sendMint(o: {
  db: Db;
  rpc: Pick<Rpc, 'sendTransaction'>;
  attempt: MintAttempt;
  now: Date;
}): Promise<SendResult> {
  const { db, rpc, attempt } = o;
  const isFirst = attempt.sentAt === null;
  const outcome = await send(rpc, attempt, !isFirst);
  if (outcome.state === 'unpaid') {
    await db.mintAttempt.updateMany({
      where: { id: attempt.id, sentAt: null, outcome: null },
      data: { error: MINTER_CANNOT_PAY },
    });
    return { state: 'waiting', reason: MINTER_CANNOT_PAY };
  }
  if (outcome.state === 'waiting') return outcome;
  if (isFirst)
    await db.mintAttempt.updateMany({
      where: { id: attempt.id, sentAt: null },
      data: { sentAt: o.now, error: null },
    });
  if (outcome.state === 'sent') return outcome;
  if (outcome.code === TREE_FULL) await markTreeFull(db, attempt.tree, o.now);
  if (isFirst) await send(rpc, attempt, true);
  return outcome;
}

/** One broadcast of the stored bytes. */
async function send(
  rpc: Pick<Rpc, 'sendTransaction'>,
  attempt: MintAttempt,
  skipPreflight: boolean,
): Promise<SendResult | { state: 'unpaid' }> {
  try {
    await rpc.sendTransaction(Buffer.from(attempt.wire).toString('base64'), { skipPreflight });
    return { state: 'sent' };
  } catch (error) {
    if (error instanceof RpcUnavailable) return { state: 'waiting', reason: error.message };
    if (error instanceof RpcRefused) return classify(error);
    throw error;
  }
}

/**
 * "Already processed" means that it landed, and a node that does not know the blockhash may be behind
 * or ahead: neither is a refusal. Everything else a node says about the transaction is.
 */
function classify(error: RpcRefused): SendResult | { state: 'unpaid' } {
  const parsed = preflight.safeParse(error.data);
  const err = parsed.success ? parsed.data.err : undefined;
  if (err === 'AlreadyProcessed' || err === 'BlockhashNotFound') return { state: 'sent' };
  if (/already been processed|blockhash not found/i.test(error.message)) return { state: 'sent' };
  if (isLackOfMoney(err)) return { state: 'unpaid' };
  if (err === undefined || err === null)
    return { state: 'refused', code: null, error: error.message };
  return { state: 'refused', code: programErrorCode(err), error: describeError(err) };
}
