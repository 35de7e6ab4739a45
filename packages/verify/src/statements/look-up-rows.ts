import { isNodeSilence } from '../chain/rpc-errors';
import { refuse, type TransactionReading } from '../chain/transfer';
import { type Places, readPayment } from '../receipts/look-up-proof';
import type { Membership } from './check-statement';
import { findRowProof, type RowProof, type StatementProof } from './statement-proof';

/** Where to look, and for which network. */
export type RowPlaces = Pick<Places, 'rpc' | 'network'>;

/** Where a row says that its payment is. */
type Claim = { tx_signature: string; slot: number };

/** Transactions asked for at once: public nodes refuse more. */
const AT_ONCE = 4;

/** The answers of a node about the payments of these rows, each asked for once. */
export async function lookUpRows(
  rows: readonly Claim[],
  o: RowPlaces,
): Promise<ReadonlyMap<string, TransactionReading>> {
  const payments = new Map<string, TransactionReading>();
  const waiting = new Map(rows.map((row) => [row.tx_signature, row])).values();
  const work = async (): Promise<void> => {
    for (const row of waiting) payments.set(row.tx_signature, await readClaimed(row, o));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return payments;
}

/**
 * The payment of a row. A node that does not know a transaction proves nothing about it. A node
 * that has the block named in the row, without such a transaction in it, proves that the row is
 * invented.
 */
async function readClaimed(row: Claim, o: RowPlaces): Promise<TransactionReading> {
  const { tx_signature: signature, slot } = row;
  const payment = await readPayment({ ...o, signature });
  if (payment.ok || payment.code !== 'transaction_not_found') return payment;
  const held = await signaturesAt(o.rpc, slot);
  return held === null || held.includes(signature)
    ? payment
    : refuse('not_a_payment', `the block of slot ${slot} holds no transaction ${signature}`);
}

/** Null where the node gives no such block, for whatever reason: that says nothing about the block. */
async function signaturesAt(rpc: Places['rpc'], slot: number): Promise<readonly string[] | null> {
  try {
    return (await rpc.getBlock(BigInt(slot)))?.signatures ?? null;
  } catch (error) {
    if (isNodeSilence(error)) return null;
    throw error;
  }
}

/** One payment of a statement, named by its signature or shown by the proof of its row. */
export async function lookUpMember(
  document: StatementProof,
  member: { signature: string; leg: number | undefined } | RowProof,
  o: RowPlaces,
): Promise<Membership> {
  const shown =
    'row' in member
      ? member
      : (findRowProof(document, { txSignature: member.signature, leg: member.leg }) ?? NO_ROW);
  if (shown.row) return { ...shown, payment: await readClaimed(shown.row, o) };
  const why = 'the statement lists no such payment';
  return { ...shown, payment: refuse('transaction_not_found', why) };
}

const NO_ROW = { row: null, path: [] };
