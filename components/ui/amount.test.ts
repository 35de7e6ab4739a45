import { expect, it } from 'vitest';
import { amountOf, groupAmount } from './amount';

it.each([
  ['0.6', '0.60'],
  ['1', '1.00'],
  ['1234567.5', '1,234,567.50'],
  ['0.000001', '0.000001'],
])('%s is shown as %s', (value, shown) => {
  expect(groupAmount(value)).toBe(shown);
});

it('shows base units with as many places as they need', () => {
  expect(amountOf(1_234_500_000n, 6)).toBe('1,234.50');
  expect(amountOf('1234567', 6)).toBe('1.234567');
  expect(amountOf('5000000', 6, 0)).toBe('5');
});
