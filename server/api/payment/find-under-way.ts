import { waitsOf, type PreparedQuote } from '@/server/payments/awaited-payments';
import { namedQuotes } from '@/server/payments/find-by-memo';
import { sentForSame } from '@/server/payments/prepared-quotes';
import { SLACK_MS } from '@/server/payments/quote-times';
import type { RequestContext } from '../request-context';
import { followQuote, isPaidFor, paidAccount } from './follow-quote';

type Asking = { wallet: string; nothing_sent: boolean };

/**
 * Id of a quote that pays for the same receipt and whose payment is there, or may still come from this wallet. Null
 * when a page may ask the wallet to pay. A payment that the wallet signed and that went through the service keeps
 * that wallet waiting, and so does a preparation with its proof. Anybody can make any other preparation, and the
 * other party can sign payments that never land, so theirs count only once a payment is on chain.
 */
export async function findUnderWay(
  ctx: RequestContext,
  quote: PreparedQuote,
  o: Asking,
): Promise<string | null> {
  const others = await sentForSame(ctx.service.db, quote);
  // A wallet that sends by itself and was told "no" has sent nothing; what we sent, we know of.
  const isSigned = waitsOf(quote, o.wallet).some(({ signature }) => signature !== null);
  const own = o.nothing_sent && !isSigned ? [] : [quote];
  const all = [...own, ...others];
  const mayStillCome = (one: PreparedQuote) => waitsOf(one, o.wallet).length > 0;
  for (const one of all.filter(mayStillCome)) {
    const { state } = await followQuote(ctx, one, { wallet: o.wallet });
    if (state !== 'nothing_paid') return one.id;
  }
  return findPaid(
    ctx,
    all.filter((one) => !mayStillCome(one)),
  );
}

/** Id of a quote whose payment is on chain. One look through the history for all, however many there are. */
async function findPaid(
  ctx: RequestContext,
  quotes: readonly PreparedQuote[],
): Promise<string | null> {
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
