/**
 * Members of the euro area without a code of their own in the service (European Central Bank,
 * 2026).
 */
const EURO_AREA: ReadonlySet<string> = new Set(
  'AT BE BG CY EE FI GR HR IE LT LU LV MT PT SI SK'.split(' '),
);

/**
 * The country of `codes` whose currency a reader of these languages expects. Languages are BCP 47
 * tags such as `de-CH`, the most preferred first. The United States come last, because browsers send
 * `en-US` for English anywhere.
 */
export function countryOf(languages: readonly string[], codes: readonly string[]): string {
  const regions = languages.map(regionOf);
  return regions.find((region) => region !== 'US' && codes.includes(region)) ?? 'US';
}

/** For a language without a region, `maximize` returns the region that most of its readers live in. */
function regionOf(language: string): string {
  try {
    const region = new Intl.Locale(language).maximize().region ?? '';
    return EURO_AREA.has(region) ? 'EU' : region;
  } catch {
    return '';
  }
}
