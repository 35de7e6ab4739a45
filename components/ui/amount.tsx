import { useLocale } from 'next-intl';
import type { ReactNode } from 'react';
import styles from './amount.module.css';
import { classNames } from './class-names';
import { kept } from './kept';

type AmountProps = {
  /** An exact plain decimal. For base units, see `decimalOf`. */
  value: string;
  token: string;
  /** Its value in the chosen currency, in words: "€1.23". */
  worth?: ReactNode;
  size?: 'normal' | 'large';
};

/** An amount with its token, and its value below. */
export function Amount({ value, token, worth, size = 'normal' }: AmountProps) {
  const locale = useLocale();
  const shown = groupAmount(value, locale);
  const looks = size === 'large' ? classNames(styles['large'], styles[lengthOf(shown)]) : undefined;
  return (
    <span className={classNames(styles['amount'], looks)}>
      <span className={styles['value']}>
        {shown} <span className={styles['token']}>{token}</span>
      </span>
      {worth ? <span className={styles['worth']}>{worth}</span> : null}
    </span>
  );
}

/** The length class of a large amount. Longer ones have smaller digits, see `amount.module.css`. */
function lengthOf({ length }: { length: number }): 'short' | 'long' | 'longer' | 'longest' {
  if (length <= 8) return 'short';
  if (length <= 12) return 'long';
  return length <= 17 ? 'longer' : 'longest';
}

/**
 * A plain decimal with the separators of a locale: `1234567.5` is `1,234,567.5` in `en` and
 * `1.234.567,5` in `de`. Exact, because digits are never a float. Anything else is returned
 * unchanged.
 */
export function groupDigits(value: string, locale: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(value)) return value;
  const [whole = '', fraction] = value.split('.');
  const isNegative = whole.startsWith('-');
  const { format, decimal } = separatorsOf(locale);
  const grouped = `${isNegative ? '-' : ''}${format(BigInt(isNegative ? whole.slice(1) : whole))}`;
  return fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
}

/** A plain decimal with at least two places, as every amount is shown: `("1234.5")` is `1,234.50`. */
export function groupAmount(value: string, locale: string): string {
  const [whole = '', fraction = ''] = value.split('.');
  return groupDigits(`${whole}.${fraction.padEnd(2, '0')}`, locale);
}

/** Base units as an amount in words, with at least `least` places: `("1234500000", 6)` is `1,234.50`. */
export function amountOf(
  raw: string | bigint,
  decimals: number,
  locale: string,
  least = 2,
): string {
  return groupDigits(decimalOf(String(raw), decimals, least), locale);
}

const separatorsOf = kept((locale: string) => {
  const numbers = new Intl.NumberFormat(locale, { useGrouping: true });
  const decimal = numbers.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  // Node.js and browsers use two different characters for the Swiss apostrophe.
  const format = (whole: bigint) => numbers.format(whole).replaceAll("'", '’');
  return { format, decimal };
});

/** Base units as a decimal of at least `least` places: `("1500000", 6)` is `1.50`. */
export function decimalOf(raw: string, decimals: number, least = 2): string {
  const isNegative = raw.startsWith('-');
  const digits = (isNegative ? raw.slice(1) : raw).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const shown = fraction.padEnd(Math.min(least, decimals), '0');
  return `${isNegative ? '-' : ''}${whole}${shown ? `.${shown}` : ''}`;
}
