import { expect, it } from 'vitest';
import { countryOf } from './reader-country';

const CODES = ['US', 'EU', 'DE', 'CH', 'JP', 'GB'];

it.each([
  [['de-CH'], 'CH'],
  [['de'], 'DE'],
  [['ja'], 'JP'],
  [['fi-FI'], 'EU'],
  // `en-US` does not say where a reader is. The next languages may.
  [['en-US', 'en', 'de-DE'], 'DE'],
  [['en-GB', 'de-DE'], 'GB'],
  [['is-IS', 'de'], 'DE'],
  [['en-US', 'en'], 'US'],
  [['is-IS'], 'US'],
  [['not a language'], 'US'],
  [[], 'US'],
])('a reader of %j expects the currency of %s', (languages, country) => {
  expect(countryOf(languages, CODES)).toBe(country);
});
