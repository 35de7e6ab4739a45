'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';

type TimeProps = { value: string | Date; precision?: 'second' | 'minute' | 'day' };

/** A time, always as UTC; what the reader's clock said then appears on hover. */
export function Time({ value, precision = 'minute' }: TimeProps) {
  const iso = typeof value === 'string' ? value : value.toISOString();
  const t = useTranslations('ui');
  const locale = useLocale();
  const [local, setLocal] = useState<string>();
  return (
    <time
      className="numbers"
      dateTime={iso}
      title={local}
      // Only the browser knows the reader's zone, so this cannot be part of the page as it was sent.
      onPointerEnter={() => setLocal(t('yourTime', { time: new Date(iso).toLocaleString(locale) }))}
    >
      {formatUtc(iso, precision)}
    </time>
  );
}

/** `2026-11-28 09:15 UTC`. */
export function formatUtc(iso: string, precision: 'second' | 'minute' | 'day' = 'minute'): string {
  if (precision === 'day') return iso.slice(0, 10);
  const end = precision === 'second' ? 19 : 16;
  return `${iso.slice(0, 10)} ${iso.slice(11, end)} UTC`;
}
