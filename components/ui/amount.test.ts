import { expect, it } from 'vitest';
import { groupAmount } from './amount';

it.each([
  ['0.6', '0.60'],
  ['1', '1.00'],
  ['1234567.5', '1,234,567.50'],
  ['0.000001', '0.000001'],
])('%s is shown as %s', (value, shown) => {
  expect(groupAmount(value)).toBe(shown);
});
