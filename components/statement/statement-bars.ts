import type { StatementBody } from '@/server/use-cases/statements/schemas';
import { decimalOf } from '../ui/amount';
import type { Bar } from '../ui/chart';
import { dateText } from '../ui/dates';
import { moneyText } from '../ui/money';

type Statement = Pick<StatementBody, 'transactions'> & {
  summary: Pick<StatementBody['summary'], 'period_start' | 'period_end'>;
};

/** Up to this many days, each day has a bar. A longer period has a bar for each month. */
const MOST_DAYS = 62;
const DAY_MS = 86_400_000;

/** Paid and received by day or month of the whole period, also without payments, in US dollars. */
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
      label: dateText(label, locale, isShort ? 'day' : 'month'),
      ...(isShort ? { short: dateText(label, locale, 'dayOfYear') } : {}),
      values: [inDollars(paid), inDollars(received)],
      texts: [paid, received].map((micros) =>
        moneyText(decimalOf(String(micros), 6), 'USD', locale),
      ),
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

/** Used only for the height of a bar. */
function inDollars(micros: bigint): number {
  return Number(micros) / 1e6;
}
