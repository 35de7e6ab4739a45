import type { PreparedQuote } from '@/server/payments/awaited-payments';
import { closeFollowed } from '@/server/payments/prepared-quotes';
import { mintInput } from '../schemas';
import type { RequestContext } from '../request-context';
import { statementInput } from '../statement-schemas';
import { createReceipt } from '../verbs/create-receipt';
import { createStatement } from '../verbs/create-statement';
import type { ResumeBody } from '../web-schemas';
import { followQuote } from './follow-quote';

/**
 * Carries out the request of a quote once its payment is there, with or without the page that prepared it.
 * Safe at any time and as often as one likes: a payment buys its request once and then gives its answer.
 */
export async function resumeQuote(
  ctx: RequestContext,
  quote: PreparedQuote,
  o: Parameters<typeof followQuote>[2] = {},
): Promise<ResumeBody> {
  const { db } = ctx.service;
  const bought = await db.payment.findFirst({
    where: { quoteId: quote.id, state: 'used' },
    select: { subjectId: true },
  });
  if (bought?.subjectId != null) return done(db, quote, bought.subjectId, true);
  const followed = await followQuote(ctx, quote, o);
  if (followed.state !== 'paid') return followed;
  const payment = { paymentSignature: null, xPayment: followed.signature };
  // Whoever asks follows the proof on chain by itself.
  const paying = { ...ctx, payment, waitS: 0 };
  if (quote.path === '/statement') {
    // The wallet proved itself over a transaction, and here only the memo binds.
    const proof = { address: null, signature: null };
    const stated = await createStatement({ ...paying, proof }, statementInput.parse(quote.request));
    return done(db, quote, stated.body.statement_id, true);
  }
  const { outcome, body } = await createReceipt(paying, mintInput.parse(quote.request));
  return done(db, quote, body.receipt_id, outcome === 'created');
}

async function done(
  db: RequestContext['service']['db'],
  quote: Pick<PreparedQuote, 'id'>,
  boughtId: string,
  isUsed: boolean,
): Promise<ResumeBody> {
  await closeFollowed(db, quote.id);
  return { state: 'bought', bought_id: boughtId, payment_used: isUsed };
}
