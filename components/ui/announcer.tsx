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

type Said = { message: string; count: number };

const AnnounceContext = createContext<(message: string) => void>(() => undefined);
const SaidContext = createContext<Said>({ message: '', count: 0 });

/**
 * How long a line stays before the next one, in ms. Browsers announce only text that stays for a
 * moment.
 */
const STAY_MS = 300;
/**
 * How long the first line waits, in ms. A dialog that closes at the same moment takes its region
 * with it.
 */
const WAIT_MS = 100;

/**
 * Collects the lines for screen readers, and holds the region of the page that announces them. It is
 * in the page before it gets any text.
 */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<Said>({ message: '', count: 0 });
  // Lines that arrive at the same moment are announced one after the other.
  const waiting = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const announce = useCallback((message: string) => {
    const sayNext = () => {
      const next = waiting.current.shift();
      timer.current = next === undefined ? null : setTimeout(sayNext, STAY_MS);
      if (next !== undefined) setSaid(({ count }) => ({ message: next, count: count + 1 }));
    };
    waiting.current.push(message);
    timer.current ??= setTimeout(sayNext, WAIT_MS);
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
      <SaidContext value={said}>
        {children}
        <AnnouncerRegion />
      </SaidContext>
    </AnnounceContext>
  );
}

/**
 * A region that screen readers follow. Each open dialog has its own, because screen readers announce
 * nothing from the page behind a dialog.
 */
export function AnnouncerRegion() {
  const { message, count } = useContext(SaidContext);
  const [before] = useState(count);
  const t = useTranslations('ui');
  return (
    <div role="status" aria-live="polite" aria-label={t('progress')} className="unseen">
      <p key={count}>{count === before ? '' : message}</p>
    </div>
  );
}

/**
 * Has a screen reader announce a line once it is free: progress and results, which sighted readers
 * see.
 */
export function useAnnounce(): (message: string) => void {
  return useContext(AnnounceContext);
}
