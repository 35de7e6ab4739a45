'use client';

import { useLocale } from 'next-intl';
import { formatUtc } from './time';
import { useBrowserValue } from './use-browser-value';

/** A time by the reader's clock with UTC beside it; UTC alone before the browser is asked, and in that zone. */
export function LocalTime({ value }: { value: string }) {
  const locale = useLocale();
  const local = useBrowserValue(() => localWords(value, locale), null);
  const utc = formatUtc(value, 'second');
  return (
    <time className="numbers" dateTime={value}>
      {local === null ? (
        utc
      ) : (
        <>
          {local}
          <br />
          <span className="muted small">{utc}</span>
        </>
      )}
    </time>
  );
}

/** Null where the reader's clock shows UTC. */
function localWords(value: string, locale: string): string | null {
  const time = new Date(value);
  if (time.getTimezoneOffset() === 0) return null;
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(time);
}
