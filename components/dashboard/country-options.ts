/** Letters that form every code of ISO 3166. */
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/**
 * Codes that browsers have a name for and that are not countries: unions, exceptional reservations.
 */
const NO_COUNTRY = new Set([
  'EU',
  'EZ',
  'UN',
  'XA',
  'XB',
  'ZZ',
  'QO',
  'UK',
  'FX',
  'SU',
  'DD',
  'YD',
]);

/** All countries by their names in a locale, for a list to choose from. */
export function countryOptions(locale: string): readonly { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => !NO_COUNTRY.has(code))
    .flatMap((value) => {
      const label = names.of(value);
      return label === undefined ? [] : [{ value, label }];
    })
    .sort((a, b) => a.label.localeCompare(b.label, locale));
}
