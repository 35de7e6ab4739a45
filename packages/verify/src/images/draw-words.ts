import { toDecimal, USD_DECIMALS } from '../money';

/**
 * Base units as on the pages: thousands separated by commas, at least two places where the token has them.
 * `(600000n, 6)` is `0.60`.
 */
export function amountWords(raw: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = toDecimal(raw, decimals).split('.');
  const shown = fraction.padEnd(Math.min(2, decimals), '0');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return shown === '' ? grouped : `${grouped}.${shown}`;
}

/** Micro-USD as `$1,234.50`. */
export function dollars(usdMicros: bigint): string {
  return `$${amountWords(usdMicros, USD_DECIMALS)}`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `28 Nov 2026`, of the UTC day. */
export function utcDate(at: Date): string {
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}`;
}

/** 88 characters of base58 do not fit a line. People compare both ends. */
export function shorten(signature: string): string {
  return signature.length <= 44 ? signature : `${signature.slice(0, 20)}…${signature.slice(-20)}`;
}

/** The short form of an address for large letters; small letters show the whole address. */
export function shortAddress(address: string): string {
  return address.length <= 24 ? address : `${address.slice(0, 8)}…${address.slice(-8)}`;
}

const WARNINGS = {
  local: (what: string) => `TEST CHAIN - not a real ${what}`,
  devnet: (what: string) => `SOLANA DEVNET - not a real ${what}`,
  mainnet: () => null,
} as const;

/** The warning across the top of an image where nothing is real; null where it is. */
export function warningOf(
  network: keyof typeof WARNINGS,
  what: 'receipt' | 'statement',
): string | null {
  return WARNINGS[network](what);
}
