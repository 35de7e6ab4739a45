/** Letters from which every code of ISO 3166 is made. */
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Codes that the browser has a name for and that are no country: unions, exceptional reservations. */
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

let options: { value: string; label: string }[] | undefined;

/** All countries by name, for a list to choose from. */
export function countryOptions(): readonly { value: string; label: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  options ??= LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => !NO_COUNTRY.has(code))
    .flatMap((value) => {
      const label = names.of(value);
      return label === undefined ? [] : [{ value, label }];
    })
    .sort((a, b) => a.label.localeCompare(b.label));
  return options;
}
