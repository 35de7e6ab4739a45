import { expect, it } from 'vitest';
import { amountOf, groupAmount, groupDigits } from './amount';

it.each([
  ['0.6', '0.60'],
  ['1', '1.00'],
  ['1234567.5', '1,234,567.50'],
  ['0.000001', '0.000001'],
])('%s is shown as %s', (value, shown) => {
  expect(groupAmount(value, 'en')).toBe(shown);
});

it('shows base units with as many places as they need', () => {
  expect(amountOf(1_234_500_000n, 6, 'en')).toBe('1,234.50');
  expect(amountOf('1234567', 6, 'en')).toBe('1.234567');
  expect(amountOf('5000000', 6, 'en', 0)).toBe('5');
});

it.each([
  ['de', '1234567.5', '1.234.567,50'],
  ['de-CH', '1234567.5', '1’234’567.50'],
  ['es', '1234567.5', '1.234.567,50'],
  ['es', '1234.5', '1.234,50'],
  ['es-MX', '1234.5', '1,234.50'],
  ['ja', '-1234.5', '-1,234.50'],
  ['en-IN', '1234567.5', '12,34,567.50'],
  // More digits than a float holds.
  ['de', '9007199254740993.000000001', '9.007.199.254.740.993,000000001'],
])('in %s %s is %s', (locale, value, shown) => {
  expect(groupAmount(value, locale)).toBe(shown);
});

it('keeps the sign of amounts below one, and returns anything that is not a number unchanged', () => {
  expect(groupDigits('-0.5', 'de')).toBe('-0,5');
  expect(groupDigits('', 'de')).toBe('');
});
