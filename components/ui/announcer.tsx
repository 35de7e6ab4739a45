'use client';

import { useTranslations } from 'next-intl';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react';

const AnnounceContext = createContext<(message: string) => void>(() => undefined);

/** How long a line stays before the next one takes its place, in ms: browsers pass on what was there for a moment. */
const STAY_MS = 300;

/** Holds the region that screen readers follow. It is in the page before anything is said in it. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ message: '', count: 0 });
  const t = useTranslations('ui');
  // Lines that come at the same moment are said one after the other.
  const waiting = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const announce = useCallback((message: string) => {
    const sayNext = () => {
      const next = waiting.current.shift();
      timer.current = next === undefined ? null : setTimeout(sayNext, STAY_MS);
      if (next !== undefined) setSaid(({ count }) => ({ message: next, count: count + 1 }));
    };
    waiting.current.push(message);
    if (timer.current === null) sayNext();
  }, []);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
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
