import { expect, test } from 'vitest';
import { daysOf, isSameRequest, MOST_DAYS, requestOf } from './statement-period';

const NOVEMBER = { wallet: 'A', from: '2026-11-01', until: '2026-11-30' };

test('an offer is for exactly one wallet and period', () => {
  const offered = requestOf(NOVEMBER);
  expect(isSameRequest(offered, requestOf({ ...NOVEMBER }))).toBe(true);
  for (const change of [{ wallet: 'B' }, { from: '2026-01-01' }, { until: '2026-12-01' }])
    expect([change, isSameRequest(offered, requestOf({ ...NOVEMBER, ...change }))]).toEqual([
      change,
      false,
    ]);
});

test('days are counted with both ends, over leap days and changes of the clock', () => {
  expect(daysOf({ from: '2026-11-30', until: '2026-11-30' })).toBe(1);
  expect(daysOf({ from: '2027-01-01', until: '2027-12-31' })).toBe(365);
  expect(daysOf({ from: '2028-01-01', until: '2028-12-31' })).toBe(MOST_DAYS);
  expect(daysOf({ from: '', until: '2028-12-31' })).toBeNaN();
});
