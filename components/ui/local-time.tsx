'use client';

import { useLocale } from 'next-intl';
import { localText, utcText } from './dates';
import { useBrowserValue } from './use-browser-value';

/**
 * A time by the reader's clock with UTC below it, also for readers in UTC. Before the browser's zone
 * is known it is UTC over an empty line, so that nothing moves later.
 */
export function LocalTime({ value }: { value: string }) {
  const locale = useLocale();
  const local = useBrowserValue(() => localText(value, locale), null);
  const utc = <span suppressHydrationWarning>{utcText(value, locale, 'second')}</span>;
  return (
    <time className="numbers" dateTime={value}>
      {local ?? utc}
      <br />
      <span className="muted small">{local === null ? '\u00a0' : utc}</span>
    </time>
  );
}
