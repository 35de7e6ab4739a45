import styles from './amount.module.css';
import { classNames } from './class-names';

type AmountProps = {
  /** A plain decimal, as exact as it is; see `decimalOf` for base units. */
  value: string;
  token: string;
  /** Its worth in the chosen currency, in words: "1.23 EUR". */
  worth?: string | null;
  size?: 'normal' | 'large';
};

/** An amount with its token, and below it what it is worth. */
export function Amount({ value, token, worth, size = 'normal' }: AmountProps) {
  return (
    <span className={classNames(styles['amount'], size === 'large' && styles['large'])}>
      <span className={styles['value']}>
        {groupAmount(value)} <span className={styles['token']}>{token}</span>
      </span>
      {worth ? <span className={styles['worth']}>{worth}</span> : null}
    </span>
  );
}

/** `1234567.5` as `1,234,567.5`; exact, as nothing becomes a float on the way. */
export function groupDigits(value: string): string {
  const [whole = '', fraction] = value.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** A plain decimal with at least two places, as every amount is shown: `("1234.5")` is `1,234.50`. */
export function groupAmount(value: string): string {
  const [whole = '', fraction = ''] = value.split('.');
  return groupDigits(`${whole}.${fraction.padEnd(2, '0')}`);
}

/** Base units as an amount in words, with at least `least` places: `("1234500000", 6)` is `1,234.50`. */
export function amountOf(raw: string | bigint, decimals: number, least?: number): string {
  return groupDigits(decimalOf(String(raw), decimals, least));
}

/** Base units as a decimal of at least `least` places: `("1500000", 6)` is `1.50`. */
export function decimalOf(raw: string, decimals: number, least = 2): string {
  const isNegative = raw.startsWith('-');
  const digits = (isNegative ? raw.slice(1) : raw).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const shown = fraction.padEnd(Math.min(least, decimals), '0');
  return `${isNegative ? '-' : ''}${whole}${shown ? `.${shown}` : ''}`;
}
