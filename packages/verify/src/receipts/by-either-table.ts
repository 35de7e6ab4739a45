import { judgeMovements } from '../chain/judge-movements';
import { EXCHANGES } from '../chain/exchanges';
import { TIPS } from '../chain/tips';
import { type TransactionReading, withFinality } from '../chain/transfer';
import type { Network } from '../network';
import { valuationDays } from '../tokens/token-table';
import { type CheckLine, notJudged, type Outcome, worstOf } from './check-line';
import { earliestIssue } from './minted-leaf';

/**
 * The time of issue of a document, which the issuer chooses, and the time of its mint on chain.
 * Null where it is not known.
 */
export type IssueTimes = { issuedAt: Date; mintedAt: Date | null };

/** The tables of a time: which tokens have a valuation, and which tip accounts and exchanges are listed. */
type Table = {
  /** Undefined: the tables of today. */
  tableOf: Date | undefined;
  /** Whether the mint confirms that the document may be of that time. */
  isBorneOut: boolean;
};

/**
 * Tables by which a document may have been made, from those of its time of issue to those of today.
 * A release has an entry before the day from which it counts. With an earlier time of issue an
 * issuer gains at most a day. The mint does not confirm tables that were out of use a day before
 * it.
 */
export function tablesOf(network: Network, { issuedAt, mintedAt }: IssueTimes): Table[] {
  const all = [valuationDays(network), TIPS.days(), EXCHANGES.days()].flat();
  const later = [...new Set(all.map((day) => day.getTime()))]
    .filter((day) => day > issuedAt.getTime())
    .sort((a, b) => a - b);
  const earliest = mintedAt && earliestIssue(mintedAt, issuedAt).getTime();
  return [
    ...later.map((until, at) => ({
      tableOf: at === 0 ? issuedAt : new Date(later[at - 1] ?? until),
      isBorneOut: earliest !== null && earliest < until,
    })),
    { tableOf: undefined, isBorneOut: true },
  ];
}

/**
 * Lines that depend on the tables, by the confirmed table under which the most of them hold. If
 * only other tables make them hold, a failing line could not be checked: the file may have waited
 * for its mint.
 */
export function byEitherTable(
  o: { network: Network; mintedAt: Date | null; issuedAt: Date | null },
  judge: (tableOf?: Date) => CheckLine[],
): CheckLine[] {
  const { network, mintedAt, issuedAt } = o;
  const today = judge();
  if (!issuedAt) return today;
  const judged = tablesOf(network, { issuedAt, mintedAt }).map((table) => {
    const lines = table.tableOf === undefined ? today : judge(table.tableOf);
    return { isBorneOut: table.isBorneOut, lines, worst: worstOutcome(lines) };
  });
  const sure = judged.filter(({ isBorneOut }) => isBorneOut);
  const { lines } = sure.find(isHeld) ?? sure.find(isNotFailed) ?? sure[0] ?? { lines: today };
  if (sure.some(isNotFailed) || !judged.some(isNotFailed)) return lines;
  const why = `the tables of ${issuedAt.toISOString()} would fit, and the NFT was minted ${mintedAt?.toISOString() ?? 'at no known time'}`;
  return lines.map((line) =>
    line.outcome === 'failed' ? notJudged(line.id, line.title, `${line.detail}; ${why}`) : line,
  );
}

function worstOutcome(lines: readonly CheckLine[]): Outcome {
  return worstOf(lines.map(({ outcome }) => outcome));
}

function isHeld({ worst }: { worst: Outcome }): boolean {
  return worst === 'held';
}

function isNotFailed({ worst }: { worst: Outcome }): boolean {
  return worst !== 'failed';
}

/** A payment, read by the tables of a time. */
export function readByTable(
  payment: TransactionReading,
  { network, tableOf }: { network: Network; tableOf: Date | undefined },
): TransactionReading {
  const { movements } = payment;
  const hasFailed = !payment.ok && payment.code === 'transaction_failed';
  if (!movements || hasFailed || tableOf === undefined) return payment;
  const then = movements.earlier?.find(({ before }) => tableOf < before)?.movements ?? movements;
  const prices = payment.ok ? payment.transfer.prices : [];
  const judged = judgeMovements({ ...then, tableOf }, { network, prices });
  return withFinality(judged, payment.ok ? payment.transfer.finality : 'confirmed');
}
