import type { StatementBody } from '@/server/use-cases/statements/schemas';
import { amountOf } from '../ui/amount';
import type { Bar } from '../ui/chart';

type Statement = Pick<StatementBody, 'transactions'> & {
  summary: Pick<StatementBody['summary'], 'period_start' | 'period_end'>;
};

/** Up to so many days are bars of their own; a longer period has a bar a month. */
const MOST_DAYS = 62;
const DAY_MS = 86_400_000;

/** Paid and received by day or month of the whole period, those without payments included, in US dollars. */
export function statementBars(
  { transactions, summary }: Statement,
  locale: string,
): {
  unit: 'day' | 'month';
  bars: Bar[];
} {
  const days = daysFrom(summary.period_start, summary.period_end);
  const isShort = days.length <= MOST_DAYS;
  const letters = isShort ? 'yyyy-mm-dd'.length : 'yyyy-mm'.length;
  const sums = new Map<string, { paid: bigint; received: bigint }>();
  for (const day of days) sums.set(day.slice(0, letters), { paid: 0n, received: 0n });
  for (const row of transactions) {
    const sum = sums.get(row.block_time.slice(0, letters));
    if (!sum) continue;
    if (row.role === 'payer') sum.paid += BigInt(row.usd_amount_raw);
    else sum.received += BigInt(row.usd_amount_raw);
  }
  return {
    unit: isShort ? 'day' : 'month',
    bars: [...sums].map(([label, { paid, received }]) => ({
      label,
      ...(isShort ? { short: label.slice('yyyy-'.length) } : {}),
      values: [inDollars(paid), inDollars(received)],
      texts: [paid, received].map((micros) => `${amountOf(micros, 6, locale)} USD`),
    })),
  };
}

/** UTC days from one to the other, both included. */
function daysFrom(first: string, last: string): string[] {
  const [from, until] = [Date.parse(first), Date.parse(last)];
  const count = Math.max(0, Math.floor((until - from) / DAY_MS)) + 1;
  return Array.from({ length: count }, (_, n) =>
    new Date(from + n * DAY_MS).toISOString().slice(0, 10),
  );
}

/** For the height of a bar alone. */
function inDollars(micros: bigint): number {
  return Number(micros) / 1e6;
}
