import type { Quote } from '@/generated/prisma/client';
import { ServiceError } from '@/server/errors';
import { findQuote } from '@/server/payments/prepared-quotes';
import { resumeQuote } from '../payment/resume-quote';
import type { RequestContext } from '../request-context';
import type { ResumeBody } from '../web-schemas';

/** What became of a payment that a page prepared; once it is there, what it bought. */
export async function resumePurchase(
  ctx: RequestContext,
  { quote_id: id }: { quote_id: string },
): Promise<ResumeBody> {
  return resumeQuote(ctx, await requirePrepared(ctx, id));
}

/** A quote whose payment a page prepared; throws 404. */
export async function requirePrepared({ service }: RequestContext, id: string): Promise<Quote> {
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
