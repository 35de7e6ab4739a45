'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { dateText, utcText } from './dates';

type TimeProps = {
  value: string | Date;
  precision?: 'second' | 'minute' | 'day';
  /** Without the zone, where the column head names it. */
  bare?: boolean;
};

/** A time, always in UTC. The reader's local time appears on hover. */
export function Time({ value, precision = 'minute', bare = false }: TimeProps) {
  const iso = typeof value === 'string' ? value : value.toISOString();
  const t = useTranslations('ui');
  const locale = useLocale();
  const [local, setLocal] = useState<string>();
  const isBare = bare || precision === 'day';
  return (
    <time
      className="numbers"
      dateTime={iso}
      title={local}
      // Servers and browsers may have different short forms of a month.
      suppressHydrationWarning
      // Only the browser knows the reader's zone, so the page from the server cannot have this.
      onPointerEnter={() => setLocal(t('yourTime', { time: new Date(iso).toLocaleString(locale) }))}
    >
      {isBare ? dateText(iso, locale, precision) : utcText(iso, locale, precision)}
    </time>
  );
}
