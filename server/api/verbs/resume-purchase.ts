import { ServiceError } from '@/server/errors';
import type { PreparedQuote } from '@/server/payments/awaited-payments';
import { findQuote } from '@/server/payments/prepared-quotes';
import { resumeQuote } from '../payment/resume-quote';
import type { RequestContext } from '../request-context';
import type { ResumeBody, ResumeInput } from '../web-schemas';

/**
 * What became of a payment that a page prepared; once it is there, what it bought. With `wallet`, payments that
 * other wallets signed or prepared keep nobody waiting.
 */
export async function resumePurchase(
  ctx: RequestContext,
  { quote_id: id, wallet, lands_until: landsUntil }: ResumeInput,
): Promise<ResumeBody> {
  return resumeQuote(ctx, await requirePrepared(ctx, id), {
    ...(wallet === undefined ? {} : { wallet }),
    ...(landsUntil === undefined ? {} : { landsUntil: BigInt(landsUntil) }),
  });
}

/** A quote whose payment a page prepared; throws 404. */
export async function requirePrepared(
  { service }: RequestContext,
  id: string,
): Promise<PreparedQuote> {
  const quote = await findQuote(service.db, id);
  if (quote && quote.request !== null) return quote;
  throw quoteUnknown(id);
}

/** The 404 of an offer that there is not, or no longer. */
export function quoteUnknown(id: string): ServiceError {
  return new ServiceError(
    'quote_unknown',
    `There is no open offer ${id}. Nothing was charged by this request: ask for the receipt again to get a new one.`,
  );
}
