import { toDecimal } from '@quittance/verify/money';
import { ServiceError } from '@/server/errors';
import { entriesOf, recordWithdrawal } from '@/server/payments/ledger/entries';
import { noteTransaction, requireDebitsShown } from '@/server/payments/ledger/note-transactions';
import {
  type Books,
  listUnexplained,
  reconcile,
  type Unexplained,
} from '@/server/payments/ledger/reconcile';
import { ledgerState, scanLedger } from '@/server/payments/ledger/scan-ledger';
import { requirePayment } from './read-payment';
import type {
  PaymentStoryBody,
  ReconciliationBody,
  WithdrawalBody,
  WithdrawalInput,
} from './schemas';
import type { Call, OperatorActor } from '../call';

/** An operator waits for the answer. The scheduled scan does the rest. */
const SCAN_MS = 20_000;

/**
 * Records that the operator took out the money that left PAY_TO in a transaction. Then it is no
 * difference in the books, and payments that it could have refunded buy again. So two nodes, if
 * there are two, must confirm the debit in the ledger. Throws NodesDiffer and RpcUnavailable while
 * they do not.
 */
export async function withdraw({
  service,
  actor: { name: actor },
  input: { signature, note },
}: Call<WithdrawalInput, OperatorActor>): Promise<WithdrawalBody> {
  const noted = await noteTransaction(service, signature);
  const unexplained = noted.filter(
    ({ direction, purpose }) => direction === 'out' && purpose === null,
  );
  await requireDebitsShown(service, { signature, entries: unexplained });
  const recorded = await recordWithdrawal(service.db, {
    signature,
    note: note ?? null,
    actor,
  });
  if (recorded === 'is_refund')
    throw conflict(`the transaction ${signature} is on record as a refund`);
  if (recorded === 'nothing_left')
    throw new ServiceError(
      'refund_invalid',
      `The withdrawal was not recorded: no final transaction ${signature} took money from PAY_TO.`,
    );
  const entries = await noteTransaction(service, signature);
  return { success: true, signature, entries: entries.map(plainRow) };
}

/**
 * Reads the chain now, closes the books of the day and returns them, with the differences that the
 * operator has to explain.
 */
export async function readReconciliation({ service }: Call<null>): Promise<ReconciliationBody> {
  const { db } = service;
  await scanLedger(service, { mostMs: SCAN_MS });
  const books = await reconcile(db);
  const [unexplained, state] = await Promise.all([listUnexplained(db), ledgerState(db)]);
  return {
    success: true,
    agrees: books.every(
      (one) => one.difference === 0n && one.unexplained === 0n && one.unbacked === 0n,
    ),
    tokens: books.map(describeBooks),
    unexplained: unexplained.map(describeUnexplained),
    other_mints: state.otherMints,
  };
}

function describeBooks(one: Books): ReconciliationBody['tokens'][number] {
  const text = (raw: bigint): string => toDecimal(raw, one.decimals);
  return {
    token: one.token,
    asset: one.asset,
    came_in: text(one.cameIn),
    bought: text(one.bought),
    refunded: text(one.refunded),
    unused: text(one.unused),
    withdrawn: text(one.withdrawn),
    costs: text(one.costs),
    internal: text(one.internal),
    unexplained: text(one.unexplained),
    unbacked: text(one.unbacked),
    balance: text(one.balance),
    difference: text(one.difference),
  };
}

function describeUnexplained(one: Unexplained): ReconciliationBody['unexplained'][number] {
  return {
    signature: one.signature,
    wallet: one.wallet,
    token: one.token,
    amount: toDecimal(one.amountRaw, one.decimals),
    to: one.to,
    block_time: one.blockTime.toISOString(),
    may_refund: one.mayRefund,
  };
}

function conflict(why: string): ServiceError {
  return new ServiceError('refund_conflict', `The withdrawal was not recorded: ${why}.`);
}

/** Most entries that are shown. A payment has a handful. */
const MOST_ENTRIES = 200;

/** Everything on record about a payment, for operators, without countries. */
export async function readPaymentStory({
  service,
  input: { signature },
}: Call<{ signature: string }>): Promise<PaymentStoryBody> {
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

/** A row as JSON: names with underscores, big numbers as text, bytes as base64. */
export function plainRow(row: object): Record<string, unknown> {
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
