'use client';

import { useTranslations } from 'next-intl';
import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

const AnnounceContext = createContext<(message: string) => void>(() => undefined);

/** Holds the region that screen readers follow. It is in the page before anything is said in it. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ message: '', count: 0 });
  const t = useTranslations('ui');
  const announce = useCallback(
    (message: string) => setSaid((before) => ({ message, count: before.count + 1 })),
    [],
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="polite" aria-label={t('progress')} className="unseen">
        <p key={said.count}>{said.message}</p>
      </div>
    </AnnounceContext>
  );
}

/** Has a screen reader say a line once it is free: progress and results, which sighted readers see. */
export function useAnnounce(): (message: string) => void {
  return useContext(AnnounceContext);
}
