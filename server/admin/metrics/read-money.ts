import type { ServiceContext } from '@/server/context';
import { runningTotals } from '@/server/db/running-totals';
import { metrics } from '@/server/metrics';
import { toDecimal } from '@quittance/verify/money';
import { paidRoutesState } from '@/server/payments/check-accounts';
import { ledgerState } from '@/server/payments/ledger/ledger-state';
import { lastBooks } from '@/server/payments/ledger/reconcile';

const DAY_MS = 86_400_000;
const USDC_DECIMALS = 6;
const DIALECTS = ['documented', 'v1', 'v2'] as const;

/** Payments of the last day, and all fees so far by dialect. */
export async function readPayments({ db, clock }: ServiceContext): Promise<() => void> {
  const since = new Date(clock.now().getTime() - DAY_MS);
  const [rows, totals, state] = await Promise.all([
    db.$queryRaw<{ dialect: string; state: string; count: bigint }[]>`
      select dialect, state, count(*) as count from payments
      where state in ('claimed', 'sent', 'settled', 'used', 'unused', 'refunded', 'failed')
        and created_at > ${since}
      group by dialect, state`,
    runningTotals(db),
    paidRoutesState(),
  ]);
  const { lastDay, fees, feesUndone, open, settling } = metrics().readings.payments;
  return () => {
    for (const row of rows)
      lastDay.set(Number(row.count), { dialect: row.dialect, state: row.state });
    for (const dialect of DIALECTS) {
      fees.set(0, { dialect });
      feesUndone.set(0, { dialect });
    }
    for (const { name, label: dialect, amount } of totals) {
      const usdc = Number(toDecimal(amount, USDC_DECIMALS));
      if (name === 'fees') fees.set(usdc, { dialect });
      if (name === 'fees_undone') feesUndone.set(usdc, { dialect });
    }
    open.set(state.open ? 1 : 0);
    settling.set(state.open && state.notSettled === undefined ? 1 : 0);
  };
}

/** Figures of the books that are not differences, which `ledger_difference` shows. */
const FIGURES = {
  came_in: 'cameInRaw',
  bought: 'boughtRaw',
  refunded: 'refundedRaw',
  unused: 'unusedRaw',
  withdrawn: 'withdrawnRaw',
  costs: 'costsRaw',
  internal: 'internalRaw',
  balance: 'balanceRaw',
} as const;

/** The ledger of PAY_TO now, and its last reconciliation. Exact figures are in the books. */
export async function readLedger({ db, clock }: ServiceContext): Promise<() => void> {
  const [state, books] = await Promise.all([ledgerState(db), lastBooks(db)]);
  const now = clock.now().getTime();
  const readings = metrics().readings.ledger;
  return () => {
    const differences = sumByToken();
    for (const { token, decimals, kind, amountRaw } of state.differences)
      differences.add({ token, of: kind, amount: amountRaw, decimals });
    for (const { token, decimals, unbackedRaw } of books)
      differences.add({ token, of: 'unbacked', amount: unbackedRaw, decimals });
    for (const { token, of: kind, units } of differences.all())
      readings.difference.set(units, { token, kind });

    const figures = sumByToken();
    for (const book of books)
      for (const [figure, column] of Object.entries(FIGURES))
        figures.add({ ...book, of: figure, amount: book[column] });
    for (const { token, of: figure, units } of figures.all())
      readings.books.set(units, { token, figure });

    readings.age.set(state.ageS);
    readings.others.set(state.otherMints);
    const [first] = books;
    if (first) readings.booksAge.set(Math.max(0, now - first.madeAt.getTime()) / 1000);
  };
}

type Amount = { token: string; of: string; amount: bigint; decimals: number };

/** Adds amounts up by token and figure: two mints may have one symbol, as native and wrapped SOL do. */
function sumByToken() {
  const sums = new Map<string, Amount>();
  return {
    add: ({ token, of, amount, decimals }: Amount): void => {
      const key = `${token} ${of}`;
      const known = sums.get(key)?.amount ?? 0n;
      sums.set(key, { token, of, amount: known + amount, decimals });
    },
    all: () =>
      [...sums.values()].map(({ token, of, amount, decimals }) => ({
        token,
        of,
        units: Number(toDecimal(amount, decimals)),
      })),
  };
}
