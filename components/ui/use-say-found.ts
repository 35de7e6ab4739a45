'use client';

import { useEffect, useRef } from 'react';
import { useAnnounce } from './announcer';

/** The results are announced after the reader stops typing for this long, in ms. */
const PAUSE_MS = 700;

/**
 * Has a screen reader announce the result of a search or filter. `asked` is the query: the first
 * view of a page has none. `found` is null until the answer arrives.
 */
export function useSayFound({ asked, found }: { asked: string; found: string | null }): void {
  const announce = useAnnounce();
  const answered = useRef(asked);
  useEffect(() => {
    if (found === null || answered.current === asked) return;
    const timer = setTimeout(() => {
      answered.current = asked;
      announce(found);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [asked, found, announce]);
}
