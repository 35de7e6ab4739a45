import { entriesOf } from '@/server/payments/ledger/entries';
import type { PaymentStoryBody } from '../payment-schemas';
import { plainRow } from '../plain-row';
import type { RequestContext } from '../request-context';
import { requirePayment } from './read-payment';

/** Longest story that is told; a payment has a handful of entries. */
const MOST_ENTRIES = 200;

/** All that is on record about a payment, for operators. Countries are not among it. */
export async function readPaymentStory(
  { service }: RequestContext,
  { signature }: { signature: string },
): Promise<PaymentStoryBody> {
  const { db } = service;
  const { row } = await requirePayment(service, signature);
  const [quoteId, subjectId] = [row?.quoteId ?? null, row?.subjectId ?? null];
  const subjects = [signature, ...(row ? [row.id] : []), ...(subjectId ? [subjectId] : [])];
  const [entries, refunds, quote, mint, audit] = await Promise.all([
    entriesOf(db, signature),
    db.ledgerRefund.findMany({
      where: { paymentSignature: signature },
      orderBy: { recordedAt: 'asc' },
      take: MOST_ENTRIES,
    }),
    quoteId === null ? null : db.quote.findUnique({ where: { id: quoteId } }),
    subjectId === null ? null : db.mint.findUnique({ where: { id: subjectId } }),
    db.auditEntry.findMany({
      where: { subject: { in: subjects } },
      orderBy: [{ at: 'asc' }, { id: 'asc' }],
      take: MOST_ENTRIES,
    }),
  ]);
  return {
    success: true,
    payment: row && plainRow(row),
    entries: entries.map(plainRow),
    refunds: refunds.map(plainRow),
    quote: quote && plainRow(quote),
    mint: mint && plainRow(mint),
    audit: audit.map(plainRow),
  };
}
