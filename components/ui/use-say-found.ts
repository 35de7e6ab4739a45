'use client';

import { useEffect, useRef } from 'react';
import { useAnnounce } from './announcer';

/** A reader who types is told what was found once the typing pauses, in ms. */
const PAUSE_MS = 700;

/**
 * Has a screen reader say what a search or filter found. `asked` names what was asked for: what the page shows at
 * first answers no question. `found` is null until the answer is there.
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
