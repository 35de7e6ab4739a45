type Country = { code: string; currency: string };

/**
 * The currencies of some countries, sorted by code, as options of a select. Each option has the code
 * of a country as its value. If countries share a currency, the value is the chosen one, else the
 * first.
 */
export function currencyOptions(
  countries: readonly Country[],
  chosen: string | null,
  labelOf: (currency: string) => string = (currency) => currency,
): { value: string; label: string }[] {
  const codes = new Map<string, string>();
  for (const { code, currency } of countries)
    if (!codes.has(currency) || code === chosen) codes.set(currency, code);
  return [...codes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, value]) => ({ value, label: labelOf(currency) }));
}
