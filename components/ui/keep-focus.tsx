'use client';

import { useEffect } from 'react';
import { focusNear, pathOf } from './focus-near';

/**
 * Keeps the keyboard focus in the page. When the focused element is removed, browsers put the focus
 * on the body, so a keyboard or a screen reader starts at the top again. This moves it to the
 * nearest remaining part.
 */
export function KeepFocus() {
  useEffect(() => {
    let path: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element) path = pathOf(target);
    };
    const observer = new MutationObserver(() => {
      const [last] = path;
      // If the element is still there, it lost the focus by a press beside it.
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      focusNear(path);
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
  return null;
}
