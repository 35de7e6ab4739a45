import type { PaymentStoryBody } from '../payment-schemas';
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
    payment: plain(payment),
    quote: quote && plain(quote),
    mint: mint && plain(mint),
    audit: audit.map(plain),
  };
}

/** A row as JSON has it: names with underscores, big numbers as text, bytes as base64. */
function plain(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name.replace(/[A-Z0-9]+/g, (part) => (/^\d/.test(part) ? part : `_${part.toLowerCase()}`)),
      plainValue(value),
    ]),
  );
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return value.toISOString();
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
