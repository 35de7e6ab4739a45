/** Members of the euro area that the service has no code of their own for (European Central Bank, 2026). */
const EURO_AREA: ReadonlySet<string> = new Set(
  'AT BE BG CY EE FI GR HR IE LT LU LV MT PT SI SK'.split(' '),
);

/**
 * The country whose currency a reader of `language` (a BCP 47 tag, as `de-CH`) expects; null where that is the
 * dollar, which every receipt shows, and where the service has no currency for it.
 */
export function countryOf(
  language: string,
  countries: readonly { code: string; currency: string }[],
): string | null {
  const region = regionOf(language);
  const code = region !== undefined && EURO_AREA.has(region) ? 'EU' : region;
  const found = countries.find((one) => one.code === code);
  return found && found.currency !== 'USD' ? found.code : null;
}

/** `maximize` gives the region that most readers of a language without one live in. */
function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().region;
  } catch {
    return undefined;
  }
}
