import type { MintAttempt } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { isBlockhashUnknown, isProcessedAlready } from '@/server/chain/send-to-all';
import type { Db } from '@/server/db/client';
import { z } from 'zod';
import { isTreeFull, markTreeFull } from './trees';
import {
  describeError,
  isLackOfMoney,
  MINTER_CANNOT_PAY,
  programErrorCode,
  TREE_FULL,
} from './offline-umi';

export type SendResult =
  /** Sent, or there already. */
  | { state: 'sent' }
  /** A node foresees that it fails. It may still land: settling decides. */
  | { state: 'refused'; code: number | null; error: string }
  | { state: 'waiting'; reason: string };

const preflight = z.object({ err: z.unknown() });

/**
 * Sends the stored bytes, any number of times. The first time a node simulates them beforehand. A
 * refusal closes nothing, because an earlier send may have landed. Then the same bytes are sent
 * without that check, and the chain decides, at the cost of a network fee.
 *
 * If the minter cannot pay, nothing is sent and the attempt records the reason. Its expiry then
 * does not count as a refusal, even if the nodes forget its blockhash before it has money. A tree
 * is closed only once its own account shows that it is full.
 */
export async function sendMint(o: {
  db: Db;
  rpc: Rpc;
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
      data: { sentAt: o.now, ...(outcome.state === 'unknown_blockhash' ? {} : { error: null }) },
    });
  if (outcome.state === 'sent') return outcome;
  if (isFirst) await send(rpc, attempt, true);
  if (outcome.state === 'unknown_blockhash') return { state: 'sent' };
  if (outcome.code === TREE_FULL && (await isTreeFull(rpc, attempt.tree)))
    await markTreeFull(db, attempt.tree, o.now);
  return outcome;
}

/** `unknown_blockhash`: a node may be behind or ahead of it, or it has expired. */
type Sending = SendResult | { state: 'unpaid' } | { state: 'unknown_blockhash' };

/** One broadcast of the stored bytes. */
async function send(
  rpc: Pick<Rpc, 'sendTransaction'>,
  attempt: MintAttempt,
  skipPreflight: boolean,
): Promise<Sending> {
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
 * "Already processed" means that it landed, and an unknown blockhash says nothing about the transaction: neither
 * is a refusal. Everything else a node says about the transaction is.
 */
function classify(error: RpcRefused): Sending {
  const parsed = preflight.safeParse(error.data);
  const err = parsed.success ? parsed.data.err : undefined;
  if (isProcessedAlready(error)) return { state: 'sent' };
  if (isBlockhashUnknown(error)) return { state: 'unknown_blockhash' };
  if (isLackOfMoney(err)) return { state: 'unpaid' };
  if (err === undefined || err === null)
    return { state: 'refused', code: null, error: error.message };
  return { state: 'refused', code: programErrorCode(err), error: describeError(err) };
}
