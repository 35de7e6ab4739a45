import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { databaseNow } from '@/server/db/database-time';
import { findPayment } from '@/server/payments/find-payment';
import { quoteIdsOf, quotesForPayment, quotesOfMemos } from '@/server/payments/find-quotes';
import { judgePayment } from '@/server/payments/judge-payment';
import type { PresentedPayment } from '@/server/payments/read-payment-header';
import type { RequestKey } from '@/server/payments/request-key';
import type { RequestContext } from '../request-context';
import { lookForPayment } from './look-for-payment';
import { notePayment } from './note-payment';

/**
 * Writes down, with one look at the chain, a payment that came too late because what it was for exists
 * already: it stays its payer's. Nothing is noted of a payment that was not meant for us, and a chain that
 * does not answer is no reason to keep the caller from the answer.
 */
export async function noteLatePayment(
  ctx: RequestContext,
  o: { key: RequestKey; presented: PresentedPayment | null; excludes: readonly string[] },
): Promise<void> {
  const { db } = ctx.service;
  const { presented, key } = o;
  if (presented?.dialect !== 'documented' || o.excludes.includes(presented.signature)) return;
  if (await findPayment(db, presented)) return;
  try {
    const seen = await lookForPayment(ctx, presented.signature);
    if (seen.state !== 'paid') return;
    const { payment } = seen;
    const [own, named, now] = await Promise.all([
      quotesForPayment(db, { key, payment, ids: quoteIdsOf(payment.memos) }),
      quotesOfMemos(db, payment.memos),
      databaseNow(db),
    ]);
    const judgement = judgePayment({
      payment,
      key,
      own,
      named,
      known: null,
      caller: null,
      hasRival: null,
      now,
      priceMicros: payment.amountMicros,
      isNamedGone: false,
    });
    if (judgement.verdict === 'refused' && !judgement.isOurs) return;
    await notePayment(ctx, { key, payment, caller: null, reason: 'bought_by_another' });
  } catch (error) {
    if (!isNodeSilence(error)) throw error;
  }
}
