import { expect, it } from 'vitest';
import { axisOf, tickText } from './chart-scale';

it.each([
  [0, [0]],
  [0.25, [0, 0.25, 0.5]],
  [1, [0, 0.5, 1]],
  [1.01, [0, 1, 2]],
  [740, [0, 500, 1000]],
  [1_900_000, [0, 1_000_000, 2_000_000]],
])('an axis for %d ends at a round number above it', (most, ticks) => {
  const axis = axisOf(most);
  expect(axis.ticks).toEqual(ticks);
  expect(axis.top).toBeGreaterThanOrEqual(most);
});

it('has short names for its lines, and shows a tiny amount as more than zero', () => {
  expect([0, 0.001, 0.5, 1500, 2_000_000].map((value) => tickText(value, 'en'))).toEqual([
    '0',
    '<0.01',
    '0.5',
    '1.5K',
    '2M',
  ]);
});

it.each([
  [0.025, '0.025'],
  [0.05, '0.05'],
  [0.005, '0.005'],
  [0.0049, '<0.01'],
  [250_000, '250K'],
])('%d has the right short name beside its line: %s', (value, text) => {
  expect(tickText(value, 'en')).toBe(text);
});
