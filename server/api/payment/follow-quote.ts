import type { Quote } from '@/generated/prisma/client';
import { TOKEN } from '@/server/chain/programs';
import { tokenAddressOf } from '@/server/chain/token-address';
import { findByMemo } from '@/server/payments/find-by-memo';
import { paymentNetwork } from '@/server/payments/payment-network';
import { forgetSent } from '@/server/payments/prepared-quotes';
import type { RequestContext } from '../request-context';
import { lookForPayment } from './look-for-payment';

/** What became of the payment that a page prepared for a quote. */
export type Followed =
  | { state: 'paid'; signature: string }
  | { state: 'waiting'; signature: string | null }
  | {
      state: 'nothing_paid';
      reason: 'not_sent' | 'expired' | 'failed';
      detail: string | null;
    };

/**
 * Finds the payment of a quote: by the signature that was noted before it was sent, else by its memo in the
 * history of the account that is paid. That nothing was paid is said only once nothing can land any more.
 */
export async function followQuote(ctx: RequestContext, quote: Quote): Promise<Followed> {
  if (!quote.mayBeSent) return followUnsent(ctx, quote);
  const { db, rpc } = ctx.service;
  const { paymentHint } = quote;
  // Asked for first: what landed by this block is found by the looks that follow.
  const tip = await rpc.getFinalizedTip();
  if (paymentHint !== null) {
    const seen = await lookForPayment(ctx, paymentHint);
    if (seen.state === 'paid') return { state: 'paid', signature: paymentHint };
    if (seen.state === 'refused') {
      await forgetSent(db, quote);
      return { state: 'nothing_paid', reason: 'failed', detail: seen.detail };
    }
  }
  const signature = await findByQuote(ctx, quote);
  if (signature !== null) return { state: 'paid', signature };
  if (quote.landsUntil === null || tip.height <= quote.landsUntil)
    return { state: 'waiting', signature: paymentHint };
  await forgetSent(db, quote);
  return { state: 'nothing_paid', reason: 'expired', detail: null };
}

/** A wallet that sends by itself may do so after its time, with a newer blockhash than it was given. */
async function followUnsent(ctx: RequestContext, quote: Quote): Promise<Followed> {
  const late = quote.preparedAt === null ? null : await findByQuote(ctx, quote);
  if (late !== null) return { state: 'paid', signature: late };
  return { state: 'nothing_paid', reason: 'not_sent', detail: null };
}

async function findByQuote(ctx: RequestContext, quote: Quote): Promise<string | null> {
  const { rpc, env } = ctx.service;
  const { usdcMint: mint } = paymentNetwork(env.network);
  const account = await tokenAddressOf({ wallet: quote.payTo, mint, tokenProgram: TOKEN });
  const found = await findByMemo(rpc, {
    account,
    quoteIds: [quote.id],
    since: new Date(quote.createdAt.getTime() - CLOCK_SLACK_MS),
  });
  return found.get(quote.id) ?? null;
}

/** Block times may be off by so much. */
const CLOCK_SLACK_MS = 120_000;
