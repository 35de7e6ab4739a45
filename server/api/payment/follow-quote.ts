import type { Quote } from '@/generated/prisma/client';
import { TOKEN } from '@/server/chain/programs';
import { tokenAddressOf } from '@/server/chain/token-address';
import { findQualifying, shortfallOf, type Qualifying } from '@/server/payments/find-qualifying';
import { paymentNetwork } from '@/server/payments/payment-network';
import { forgetSent } from '@/server/payments/prepared-quotes';
import type { RequestContext } from '../request-context';
import { lookForPayment } from './look-for-payment';
import { payersOf } from './payers-of';

/** What became of the payment that a page prepared for a quote. */
export type Followed =
  | { state: 'paid'; signature: string }
  | { state: 'waiting'; signature: string | null }
  | {
      state: 'nothing_paid';
      reason: 'not_sent' | 'expired' | 'failed';
      detail: string | null;
    };

/** Transactions with the memo that a page's look reads: more are a stranger's, and the next look goes on. */
const MOST_READS = 100;

/**
 * Finds the payment of a quote: by the signature that was noted before it was sent, else as the earliest in
 * the history of the account that is paid which has its memo and qualifies. That nothing was paid is said
 * only once nothing can land any more.
 */
export async function followQuote(
  ctx: RequestContext,
  quote: Quote,
  o: { mostReads?: number } = {},
): Promise<Followed> {
  if (!quote.mayBeSent) return followUnsent(ctx, quote, o);
  const { db, rpc } = ctx.service;
  const { paymentHint } = quote;
  // Asked for first: what landed by this block is found by the looks that follow.
  const tip = await rpc.getFinalizedTip();
  const hinted = paymentHint === null ? null : await lookAtHint(ctx, quote, paymentHint);
  if (hinted?.state === 'paid') return hinted;
  if (hinted?.state === 'nothing_paid') await forgetSent(db, quote);
  const found = await findByQuote(ctx, quote, o);
  if (found.state === 'found') return { state: 'paid', signature: found.signature };
  if (hinted?.state === 'nothing_paid') return hinted;
  if (found.state === 'unread') return { state: 'waiting', signature: paymentHint };
  if (quote.landsUntil === null || tip.height <= quote.landsUntil)
    return { state: 'waiting', signature: paymentHint };
  await forgetSent(db, quote);
  const { shortfall } = found;
  return { state: 'nothing_paid', reason: shortfall ? 'failed' : 'expired', detail: shortfall };
}

/** What the payment became whose signature was noted; null while no node knows it. */
async function lookAtHint(
  ctx: RequestContext,
  quote: Quote,
  signature: string,
): Promise<Exclude<Followed, { state: 'waiting' }> | null> {
  const seen = await lookForPayment(ctx, signature);
  if (seen.state === 'absent') return null;
  const detail =
    seen.state === 'refused'
      ? seen.detail
      : shortfallOf({ quote, payers: await payersOf(ctx, quote) }, seen.payment);
  if (detail === null) return { state: 'paid', signature };
  return { state: 'nothing_paid', reason: 'failed', detail };
}

/** A wallet that sends by itself may do so after its time, with a newer blockhash than it was given. */
async function followUnsent(
  ctx: RequestContext,
  quote: Quote,
  o: { mostReads?: number },
): Promise<Followed> {
  if (quote.preparedAt !== null) {
    const late = await findByQuote(ctx, quote, o);
    if (late.state === 'found') return { state: 'paid', signature: late.signature };
    if (late.state === 'unread') return { state: 'waiting', signature: null };
  }
  return { state: 'nothing_paid', reason: 'not_sent', detail: null };
}

async function findByQuote(
  ctx: RequestContext,
  quote: Quote,
  { mostReads = MOST_READS }: { mostReads?: number },
): Promise<Qualifying> {
  const { service } = ctx;
  const { usdcMint: mint } = paymentNetwork(service.env.network);
  const account = await tokenAddressOf({ wallet: quote.payTo, mint, tokenProgram: TOKEN });
  const payers = await payersOf(ctx, quote);
  const payTo = { wallet: quote.payTo, account, mint };
  return findQualifying(service, { quote, payers, payTo, mostReads });
}
