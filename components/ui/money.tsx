import { useLocale } from 'next-intl';
import { groupDigits } from './amount';
import { kept } from './kept';

type MoneyProps = {
  /** An exact plain decimal. */
  value: string;
  /** ISO 4217. */
  currency: string;
  /** Without the currency, where the column head names it. */
  bare?: boolean;
};

/**
 * Money in the reader's locale, rounded to the smallest unit of its currency. The exact value is the
 * `value` of the element. It appears on hover if it has more digits.
 */
export function Money({ value, currency, bare = false }: MoneyProps) {
  const locale = useLocale();
  const shown = roundMoney(value, placesOf(currency));
  const exact = `${groupDigits(value, locale)} ${currency}`;
  return (
    <data
      className="numbers"
      value={`${value} ${currency}`}
      title={isSame(value, shown) ? undefined : exact}
      // Servers and browsers may have different signs of a currency.
      suppressHydrationWarning
    >
      {bare ? groupDigits(shown, locale) : writeMoney(shown, currency, locale)}
    </data>
  );
}

/** Money as a text, rounded to the smallest unit: `$1,234.50`, in German `1.234,50 $`. */
export function moneyText(value: string, currency: string, locale: string): string {
  return writeMoney(roundMoney(value, placesOf(currency)), currency, locale);
}

/**
 * A plain decimal with this many places, half up: `("262.847908", 2)` is `262.85`. A value that
 * would become zero keeps all its digits, because a small payment is not an empty one. Exact,
 * because digits are never a float.
 */
export function roundMoney(value: string, places: number): string {
  const read = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  if (!read) return value;
  const [, sign = '', whole = '', fraction = ''] = read;
  const kept = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
  const rounded = kept + (Number(fraction[places] ?? '0') >= 5 ? 1n : 0n);
  if (rounded === 0n && /[1-9]/.test(fraction)) return value;
  const digits = String(rounded).padStart(places + 1, '0');
  const cut = digits.length - places;
  return `${sign}${digits.slice(0, cut)}${places === 0 ? '' : `.${digits.slice(cut)}`}`;
}

/** The locale gives the currency sign and its side. The digits come from the value. */
function writeMoney(value: string, currency: string, locale: string): string {
  const { before, after } = frameOf(currency, locale);
  const isNegative = value.startsWith('-');
  const digits = groupDigits(isNegative ? value.slice(1) : value, locale);
  return `${isNegative ? '-' : ''}${before}${digits}${after}`;
}

/** The text before and after a number in this currency, read from the number 1. */
const frameOf = kept((currency: string, locale: string) => {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(1);
  const isNumber = ({ type }: Intl.NumberFormatPart) =>
    type === 'integer' || type === 'decimal' || type === 'fraction';
  const textOf = (some: Intl.NumberFormatPart[]) => some.map(({ value }) => value).join('');
  const first = parts.findIndex(isNumber);
  const last = parts.findLastIndex(isNumber);
  return { before: textOf(parts.slice(0, first)), after: textOf(parts.slice(last + 1)) };
});

/** The currencies of the service without minor units. All others have 2 decimals. */
const WITHOUT_MINOR_UNITS: ReadonlySet<string> = new Set(['JPY', 'KRW', 'VND', 'CLP']);

/**
 * The number of decimals of a currency: 2 for USD, 0 for JPY. Not from locale data, which has 0 for
 * IDR and COP.
 */
function placesOf(currency: string): number {
  return WITHOUT_MINOR_UNITS.has(currency) ? 0 : 2;
}

function isSame(value: string, shown: string): boolean {
  const plain = (text: string) => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  return plain(value) === plain(shown);
}
