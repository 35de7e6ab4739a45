/** One whole US dollar in micro-USD, the unit of every USD value in code and database. */
export const USD = 1_000_000n;
/** Decimals of a micro-USD. */
export const USD_DECIMALS = 6;
/**
 * Largest signed 64-bit number, the maximum of the database: 9.2 trillion units at 6 decimals. No
 * real amount is larger.
 */
export const LARGEST_AMOUNT = 2n ** 63n - 1n;
/** Decimals of USDC on every network: prices and payments are in micro-USDC. */
export const USDC_DECIMALS = 6;

/**
 * Base units to a plain decimal string without trailing zeros: `toDecimal(750000n, 6)` is `"0.75"`.
 * Never uses a float, so it is exact at any size.
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

/** Base units as a JSON number. Lossy above 2^53: always send a `_raw` string with it. */
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

/** An exact ratio of two whole numbers; the denominator is above zero. */
export type Fraction = { num: bigint; den: bigint };

export const ONE: Fraction = { num: 1n, den: 1n };

/**
 * A decimal of a source (`"1.1787"`, also `"8e-8"`) as an exact ratio. Null for a text that is not
 * a number above zero: no rate or price is one.
 */
export function fractionOf(text: string): Fraction | null {
  const match = /^(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text);
  if (!match) return null;
  const [, whole = '', digits = '', exponent = '0'] = match;
  const num = BigInt(whole + digits);
  const shift = Number(exponent) - digits.length;
  if (num === 0n) return null;
  return shift >= 0
    ? { num: num * 10n ** BigInt(shift), den: 1n }
    : { num, den: 10n ** BigInt(-shift) };
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.num, den: a.den * b.den };
}

export function over(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.den, den: a.den * b.num };
}

/**
 * Converts base units of one unit into base units of another at a price, rounded once, half up. The
 * price is units of the second for one of the first.
 */
export function convert(o: {
  amount: bigint;
  decimals: number;
  price: Fraction;
  toDecimals: number;
}): bigint {
  const num = o.amount * o.price.num * 10n ** BigInt(o.toDecimals);
  return roundHalfUp(num, o.price.den * 10n ** BigInt(o.decimals));
}

/** A ratio as a plain decimal of at most 12 significant digits, rounded half up, for people to read. */
export function toDecimalText({ num, den }: Fraction): string {
  let places = 0;
  // As many decimals as leave 12 digits in all; none when the whole part alone has that many.
  const size = (num / den).toString().length;
  if (num >= den) places = Math.max(0, SIGNIFICANT - size);
  else for (places = SIGNIFICANT; num * 10n ** BigInt(places - SIGNIFICANT + 1) < den;) places += 1;
  const digits = roundHalfUp(num * 10n ** BigInt(places), den)
    .toString()
    .padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** More than any published rate has. */
const SIGNIFICANT = 12;

/** Rounds a ratio that is not negative. */
function roundHalfUp(num: bigint, den: bigint): bigint {
  return (2n * num + den) / (2n * den);
}
