import type { PaymentStoryBody } from '../payment-schemas';
import { plainRow } from '../plain-row';
import type { RequestContext } from '../request-context';
import { requirePayment } from './read-payment';

/** Longest story that is told; a payment has a handful of entries. */
const MOST_ENTRIES = 200;

/** All that is on record about a payment, for operators. Countries are not among it. */
export async function readPaymentStory(
  { service: { db } }: RequestContext,
  { signature }: { signature: string },
): Promise<PaymentStoryBody> {
  const payment = await requirePayment(db, signature);
  const { quoteId, subjectId } = payment;
  const [quote, mint, audit] = await Promise.all([
    quoteId === null ? null : db.quote.findUnique({ where: { id: quoteId } }),
    subjectId === null ? null : db.mint.findUnique({ where: { id: subjectId } }),
    db.auditEntry.findMany({
      where: { subject: { in: [payment.id, signature, ...(subjectId ? [subjectId] : [])] } },
      orderBy: [{ at: 'asc' }, { id: 'asc' }],
      take: MOST_ENTRIES,
    }),
  ]);
  return {
    success: true,
    payment: plainRow(payment),
    quote: quote && plainRow(quote),
    mint: mint && plainRow(mint),
    audit: audit.map(plainRow),
  };
}
