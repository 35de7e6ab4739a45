import { judgeMovements } from '../chain/judge-movements';
import { type TransactionReading, withFinality } from '../chain/transfer';
import type { Network } from '../network';
import { hasLaterValue } from '../tokens/token-table';
import { type CheckLine, worstOf } from './check-line';

/**
 * Lines that depend on which tokens have a valuation. A document is judged by the table of its time of issue. A release
 * may have valued a token before the day of its line, so that today's table counts as well where that fails.
 */
export function byEitherTable(
  o: { network: Network; issuedAt: Date | null },
  judge: (tableOf?: Date) => CheckLine[],
): CheckLine[] {
  if (!o.issuedAt || !hasLaterValue(o.network, o.issuedAt)) return judge();
  const [then, today] = [judge(o.issuedAt), judge()];
  return hasFailed(then) && !hasFailed(today) ? today : then;
}

function hasFailed(lines: readonly CheckLine[]): boolean {
  return worstOf(lines.map(({ outcome }) => outcome)) === 'failed';
}

/** A payment, as it is read by the tokens that had a valuation at a time. */
export function readByTable(
  payment: TransactionReading,
  { network, tableOf }: { network: Network; tableOf: Date | undefined },
): TransactionReading {
  const { movements } = payment;
  const hasFailed = !payment.ok && payment.code === 'transaction_failed';
  if (!movements || hasFailed || tableOf === undefined) return payment;
  const prices = payment.ok ? payment.transfer.prices : [];
  const judged = judgeMovements({ ...movements, tableOf }, { network, prices });
  return withFinality(judged, payment.ok ? payment.transfer.finality : 'confirmed');
}
