import { ServiceError } from '@/server/errors';

export type Country = { code: string; currency: string; minorUnits: number };

/**
 * The countries of the service, in the order of its interface, with their currencies. `EU` is the
 * euro area as a whole.
 */
const CURRENCY_OF = {
  US: 'USD',
  GB: 'GBP',
  EU: 'EUR',
  DE: 'EUR',
  FR: 'EUR',
  CA: 'CAD',
  AU: 'AUD',
  JP: 'JPY',
  SG: 'SGD',
  CH: 'CHF',
  AE: 'AED',
  NL: 'EUR',
  ES: 'EUR',
  IT: 'EUR',
  BR: 'BRL',
  MX: 'MXN',
  IN: 'INR',
  KR: 'KRW',
  HK: 'HKD',
  CN: 'CNY',
  NZ: 'NZD',
  SE: 'SEK',
  NO: 'NOK',
  DK: 'DKK',
  PL: 'PLN',
  ZA: 'ZAR',
  TH: 'THB',
  ID: 'IDR',
  MY: 'MYR',
  PH: 'PHP',
  VN: 'VND',
  TR: 'TRY',
  RU: 'RUB',
  IL: 'ILS',
  NG: 'NGN',
  AR: 'ARS',
  CL: 'CLP',
  CO: 'COP',
  PE: 'PEN',
} as const;

/**
 * Currencies without minor units in ISO 4217. Listed here, because the display digits that Node knows
 * (CLDR) are others: it shows IDR and COP without decimals.
 */
const WITHOUT_MINOR_UNITS: ReadonlySet<string> = new Set(['JPY', 'KRW', 'VND', 'CLP']);

const COUNTRIES: ReadonlyMap<string, Country> = new Map(
  Object.entries(CURRENCY_OF).map(([code, currency]) => [
    code,
    { code, currency, minorUnits: WITHOUT_MINOR_UNITS.has(currency) ? 0 : 2 },
  ]),
);

/** The 39 codes, in the order of the service's interface. */
export const SUPPORTED_COUNTRIES: readonly string[] = [...COUNTRIES.keys()];

/** The country of a code, in any case, or null when the service does not have it. */
export function countryOf(code: string): Country | null {
  return COUNTRIES.get(code.toUpperCase()) ?? null;
}

/** The country of a code; throws `unsupported_country` listing the codes there are. */
export function requireCountry(code: string | undefined): Country {
  const country = code === undefined ? null : countryOf(code);
  if (country) return country;
  const codes = SUPPORTED_COUNTRIES.join(', ');
  throw new ServiceError(
    'unsupported_country',
    code === undefined || code === ''
      ? `The query parameter country is missing. It must be one of: ${codes}.`
      : `The country ${JSON.stringify(code.slice(0, 16))} is not supported. It must be one of: ${codes}.`,
    { details: { country: `must be one of: ${codes}`, supported: SUPPORTED_COUNTRIES } },
  );
}
