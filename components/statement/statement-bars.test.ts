import { expect, it } from 'vitest';
import type { StatementBody } from '@/server/use-cases/statements/schemas';
import { statementBars } from './statement-bars';

type Row = StatementBody['transactions'][number];
const row = (day: string, role: Row['role'], usd_amount_raw: string): Row => ({
  tx_signature: day,
  block_time: `${day}T12:00:00.000Z`,
  slot: 1,
  role,
  counterparty: 'Shop',
  token: 'USDC',
  mint: 'mint',
  dtif_code: null,
  amount: 1,
  amount_raw: '1',
  decimals: 6,
  usd_amount: 1,
  usd_amount_raw,
  valuation: 'par',
  receipt_id: null,
});
const barsOf = (period_start: string, period_end: string, transactions: Row[]) =>
  statementBars({ summary: { period_start, period_end }, transactions }, 'en');

it('keeps the days without payments of a month, so that one payment is not a lone bar', () => {
  const { unit, bars } = barsOf('2026-02-01', '2026-02-28', [
    row('2026-02-10', 'payer', '1500000'),
    row('2026-02-10', 'seller', '250000'),
  ]);
  expect([unit, bars.length]).toEqual(['day', 28]);
  expect(bars[9]).toEqual({
    label: '10 Feb 2026',
    short: '10 Feb',
    values: [1.5, 0.25],
    texts: ['$1.50', '$0.25'],
  });
  expect(bars.filter(({ values }) => values.some((value) => value > 0))).toHaveLength(1);
});

it('keeps the months without payments of a year', () => {
  const { unit, bars } = barsOf('2025-11-15', '2026-03-02', [
    row('2025-11-20', 'payer', '1000000'),
    row('2026-03-02', 'payer', '2000000'),
  ]);
  expect(unit).toBe('month');
  expect(bars.map(({ label, values }) => [label, values[0]])).toEqual([
    ['Nov 2025', 1],
    ['Dec 2025', 0],
    ['Jan 2026', 0],
    ['Feb 2026', 0],
    ['Mar 2026', 2],
  ]);
});

it("names days and months in the reader's language", () => {
  const barOf = (period_end: string) =>
    statementBars({ summary: { period_start: '2026-02-01', period_end }, transactions: [] }, 'de')
      .bars[1];
  expect(barOf('2026-02-28')).toMatchObject({ label: '2. Feb. 2026', short: '2. Feb.' });
  expect(barOf('2026-11-30')).toMatchObject({ label: 'März 2026' });
});

it('is one bar for a single day', () => {
  expect(barsOf('2026-02-01', '2026-02-01', []).bars).toHaveLength(1);
});
