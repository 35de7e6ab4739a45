import { databaseNow } from '@/server/db/database-clock';
import { ServiceError } from '@/server/errors';
import { log } from '@/server/log';
import { findEndedForNothing, findSettledForNothing } from '@/server/payments/find-payment';
import { reviveLanded } from '@/server/payments/recover-payments';
import { lookForPayment } from './look-for-payment';
import { inProgress } from './refuse-payment';
import type { Call } from '../call';

/**
 * Signature of an earlier payment by this payer for this request that is on chain and bought
 * nothing, because the request was cut off. It pays, and the new one is not settled. Null when
 * nothing was charged before. A payment that ended on record as failed or dropped is checked again.
 * A payment that no node shows any more is waited for, because its absence alone must not charge
 * anybody again. Throws RpcUnavailable.
 */
export async function earlierPayment(
  call: Call,
  o: { requestSha256: string; payer: string },
): Promise<string | null> {
  const { db, rpc, clock } = call.service;
  const asked = { ...o, now: await databaseNow(db) };
  for (const ended of await findEndedForNothing(db, asked)) {
    const revived = await reviveLanded({ db, rpc, now: clock.now() }, ended);
    if (!revived) continue;
    const { id: paymentId, signature } = revived;
    log().error({ event: 'payment_landed_after_all', paymentId, signature, was: ended.reason });
  }
  for (const { state, signature } of await findSettledForNothing(db, asked)) {
    if (signature === null) continue;
    // It may have landed. This will be known soon.
    if (state !== 'unused') throw inProgress();
    const seen = await lookForPayment(call, signature);
    if (seen.state === 'paid') return signature;
    if (seen.state === 'absent') throw notShown(signature);
  }
  return null;
}

function notShown(signature: string): ServiceError {
  return new ServiceError(
    'payment_not_seen_yet',
    `The payment ${signature}, which you signed for this request before, is on record, and no Solana node shows it right now. This request charged you nothing. Do not pay again. Send the same request again in a few seconds.`,
    { details: { payment: signature }, retryAfterS: 5 },
  );
}
