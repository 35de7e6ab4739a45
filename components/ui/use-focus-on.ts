import { useEffect, useRef, type RefObject } from 'react';

/**
 * Moves the focus to an element that answers the reader's last action, and brings it into view.
 * `about` is the event: a new one moves the focus again, and null moves nothing.
 */
export function useFocusOn<Shown extends HTMLElement>(about: unknown): RefObject<Shown | null> {
  const ref = useRef<Shown>(null);
  useEffect(() => {
    if (about !== null) takeFocus(ref.current);
  }, [about]);
  return ref;
}

/** Moves the focus to an element and scrolls no further than needed to see it. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'nearest' });
}
