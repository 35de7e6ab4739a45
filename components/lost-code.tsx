'use client';

import type { ReactNode } from 'react';
import styles from './site-frame.module.css';
import { useBrowserValue } from './ui/use-browser-value';
import { LOST_CODE } from './watch-code';

/** A notice for a page whose code did not load. The page's code removes it when it runs. */
export function LostCode({ children }: { children: ReactNode }) {
  const isAlive = useBrowserValue(() => true, false);
  return (
    // In the page from the start, so that a screen reader announces its text.
    <div role="alert" className={styles['lost']}>
      {isAlive ? null : (
        <div id={LOST_CODE} hidden suppressHydrationWarning>
          {children}
        </div>
      )}
    </div>
  );
}
