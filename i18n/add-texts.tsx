'use client';

import { NextIntlClientProvider, useLocale, useMessages } from 'next-intl';
import { useMemo, type ReactNode } from 'react';

/** Adds texts to those of the components around it. */
export function AddTexts(o: {
  messages: Partial<ReturnType<typeof useMessages>>;
  children: ReactNode;
}) {
  const locale = useLocale();
  const outer = useMessages();
  const messages = useMemo(() => ({ ...outer, ...o.messages }), [outer, o.messages]);
  return (
    <NextIntlClientProvider locale={locale} messages={messages}>
      {o.children}
    </NextIntlClientProvider>
  );
}
