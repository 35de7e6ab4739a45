/** An exact ratio of two whole numbers; the denominator is above zero. */
export type Fraction = { num: bigint; den: bigint };

export const ONE: Fraction = { num: 1n, den: 1n };

/**
 * A decimal as a source wrote it (`"1.1787"`, also `"8e-8"`) as an exact ratio. Null for what is no
 * number above zero: no rate and no price is.
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
 * Base units of one unit turned into base units of another at a price (units of the second for one of
 * the first), rounded once, half up.
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
