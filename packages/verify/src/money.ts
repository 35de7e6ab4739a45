/** One whole US dollar in micro-USD, the unit of every USD value in code and database. */
export const USD = 1_000_000n;
/** Decimals of a micro-USD. */
export const USD_DECIMALS = 6;
/** Decimals of USDC on every network: prices and payments are in micro-USDC. */
export const USDC_DECIMALS = 6;

/**
 * Base units to a plain decimal string without trailing zeros: `toDecimal(750000n, 6)` is `"0.75"`.
 * Never goes through a float, so it is exact at any size.
 */
export function toDecimal(raw: bigint, decimals: number): string {
  const sign = raw < 0n ? '-' : '';
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Plain decimal string to base units. Null when the text is no plain decimal or has more fraction
 * digits than the unit can hold: nothing is rounded on the way in.
 */
export function fromDecimal(text: string, decimals: number): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  const kept = fraction.replace(/0+$/, '');
  if (kept.length > decimals) return null;
  const raw = BigInt(whole + kept.padEnd(decimals, '0'));
  return sign === '-' ? -raw : raw;
}

/** Base units as a JSON number. Lossy above 2^53: always send a `_raw` string beside it. */
export function toJsonNumber(raw: bigint, decimals: number): number {
  return Number(toDecimal(raw, decimals));
}

/** Rescales base units from one number of decimals to another, rounding half up (away from zero). */
export function rescale(raw: bigint, from: number, to: number): bigint {
  if (to >= from) return raw * 10n ** BigInt(to - from);
  const divisor = 10n ** BigInt(from - to);
  const half = divisor / 2n;
  return raw < 0n ? -((-raw + half) / divisor) : (raw + half) / divisor;
}
