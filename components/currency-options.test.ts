import { expect, it } from 'vitest';
import { currencyOptions } from './currency-options';

const COUNTRIES = [
  { code: 'US', currency: 'USD' },
  { code: 'EU', currency: 'EUR' },
  { code: 'DE', currency: 'EUR' },
  { code: 'FR', currency: 'EUR' },
];

it('lists each currency once, by the chosen country', () => {
  expect(currencyOptions(COUNTRIES, 'DE')).toEqual([
    { value: 'DE', label: 'EUR' },
    { value: 'US', label: 'USD' },
  ]);
  expect(currencyOptions(COUNTRIES, null, (currency) => `${currency}!`)).toEqual([
    { value: 'EU', label: 'EUR!' },
    { value: 'US', label: 'USD!' },
  ]);
});
