import { expect, it } from 'vitest';
import { monthsOf } from './months-of';

const monthsFrom = (first_day: string, last_day: string, ...days: string[]) =>
  monthsOf(
    days.map((day) => ({ day })),
    { first_day, last_day },
  );

it('keeps the months without payments between the first payment and the end', () => {
  const months = monthsFrom('2025-12-01', '2026-11-30', '2026-01-31', '2026-11-02');
  expect([months[0], months.at(-1), months.length]).toEqual(['2026-01', '2026-11', 11]);
});

it('begins half a year before the end where all payments are later, or there are none', () => {
  const half = ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'];
  expect(monthsFrom('2025-12-01', '2026-11-30', '2026-11-02')).toEqual(half);
  expect(monthsFrom('2020-01-01', '2026-11-01')).toEqual(half);
});

it('never begins before the period', () => {
  expect(monthsFrom('2026-10-01', '2026-11-30', '2026-10-05')).toEqual(['2026-10', '2026-11']);
  expect(monthsFrom('2026-11-01', '2026-11-30')).toEqual(['2026-11']);
});

it('goes over the turn of a year, and ends after 240 months', () => {
  expect(monthsFrom('2025-11-15', '2026-02-03', '2025-11-20')).toEqual([
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
  ]);
  expect(monthsFrom('1970-01-01', '2026-11-30', '1970-01-01')).toHaveLength(240);
});
