import type { Quote } from '@/generated/prisma/client';
import { namedQuotes } from '@/server/payments/find-by-memo';
import { isPreparedBy, sentForSame } from '@/server/payments/prepared-quotes';
import { SLACK_MS } from '@/server/payments/quote-times';
import type { RequestContext } from '../request-context';
import { followQuote, isPaidFor, paidAccount } from './follow-quote';

type Asking = { wallet: string; nothing_sent: boolean };

/**
 * Id of a quote that pays for the same receipt and whose payment is there or may still come, null when a page
 * may ask its wallet to pay. A signed payment that went through the service keeps everybody waiting, and a
 * preparation of a wallet that proved itself keeps that wallet waiting. Anybody can make any other
 * preparation, so it counts only once its payment is on chain.
 */
export async function findUnderWay(
  ctx: RequestContext,
  quote: Quote,
  o: Asking,
): Promise<string | null> {
  const others = await sentForSame(ctx.service.db, quote);
  // A wallet that sends by itself and was told "no" has sent nothing; what we sent, we know of.
  const own = o.nothing_sent && quote.paymentHint === null ? [] : [quote];
  const all = [...own, ...others];
  for (const one of all.filter((each) => mayStillCome(each, o.wallet))) {
    const { state } = await followQuote(ctx, one);
    if (state !== 'nothing_paid') return one.id;
  }
  return findPaid(
    ctx,
    all.filter((each) => !mayStillCome(each, o.wallet)),
  );
}

/** Whether what may still land is known by more than the word of whoever prepared it. */
function mayStillCome(quote: Quote, wallet: string): boolean {
  return quote.mayBeSent && (quote.paymentHint !== null || isPreparedBy(quote, wallet));
}

/** Id of a quote whose payment is on chain. One look through the history for all, however many there are. */
async function findPaid(ctx: RequestContext, quotes: readonly Quote[]): Promise<string | null> {
  const oldest = Math.min(...quotes.map(({ createdAt }) => createdAt.getTime()));
  const accounts = new Map<string, ReadonlySet<string>>();
  for (const quote of quotes) {
    const account = await paidAccount(ctx, quote);
    const since = new Date(oldest - SLACK_MS);
    const named = accounts.get(account) ?? (await namedQuotes(ctx.service.rpc, { account, since }));
    accounts.set(account, named);
    if (named.has(quote.id) && (await isPaidFor(ctx, quote))) return quote.id;
  }
  return null;
}
