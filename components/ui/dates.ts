import { languageOf } from '@/i18n/locales';
import { kept } from './kept';

/** The parts of a time to write: a month, a day with or without its year, or a day with its time. */
type Precision = keyof typeof SHAPES;

const DAY = { day: 'numeric', month: 'short' } as const;
const MINUTE = {
  ...DAY,
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;
const SHAPES = {
  month: { month: 'short', year: 'numeric' },
  /** For days of one period, for example below the bars of a chart. */
  dayOfYear: DAY,
  day: { ...DAY, year: 'numeric' },
  minute: MINUTE,
  second: { ...MINUTE, second: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/**
 * A UTC time in a locale, without the name of the zone: `29 Nov 2026, 08:07`, in German
 * `29. Nov. 2026, 08:07`. Takes an ISO time, a day (`2026-11-29`) or a month (`2026-11`). Anything
 * else is returned unchanged.
 */
export function dateText(iso: string, locale: string, precision: Precision): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : formatter(locale, precision).format(time);
}

/** A UTC time with the name of the zone: `29 Nov 2026, 08:07 UTC`. */
export function utcText(
  iso: string,
  locale: string,
  precision: 'minute' | 'second' = 'minute',
): string {
  return `${dateText(iso, locale, precision)} UTC`;
}

/**
 * A time in the zone of this machine, with the name of the zone: `29. November 2026 um 09:07 MEZ`.
 * Only a browser knows the reader's zone.
 */
export function localText(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(iso));
}

const formatter = kept((locale: string, precision: Precision) => {
  // In English the day comes first, so that American and British readers read the same date.
  const order = languageOf(locale) === 'en' ? 'en-GB' : locale;
  return new Intl.DateTimeFormat(order, { ...SHAPES[precision], timeZone: 'UTC' });
});
