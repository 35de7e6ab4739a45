import { expect, it } from 'vitest';
import { countryOf } from './reader-country';

const COUNTRIES = [
  { code: 'US', currency: 'USD' },
  { code: 'EU', currency: 'EUR' },
  { code: 'DE', currency: 'EUR' },
  { code: 'CH', currency: 'CHF' },
  { code: 'JP', currency: 'JPY' },
];

it.each([
  ['de-CH', 'CH'],
  ['de', 'DE'],
  ['ja', 'JP'],
  ['fi-FI', 'EU'],
  ['en-US', null],
  ['en', null],
  ['is-IS', null],
  ['not a language', null],
])('a reader of %s expects the currency of %s', (language, country) => {
  expect(countryOf(language, COUNTRIES)).toBe(country);
});
