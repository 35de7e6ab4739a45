'use client';

import type { ReactNode } from 'react';
import styles from './site-frame.module.css';
import { useBrowserValue } from './ui/use-browser-value';
import { LOST_CODE } from './watch-code';

/** Holds what a page says where its code did not load. The code of the page, once it runs, takes it away. */
export function LostCode({ children }: { children: ReactNode }) {
  const isAlive = useBrowserValue(() => true, false);
  return (
    // Here from the start, so that a screen reader says what comes into it.
    <div role="alert" className={styles['lost']}>
      {isAlive ? null : (
        <div id={LOST_CODE} hidden suppressHydrationWarning>
          {children}
        </div>
      )}
    </div>
  );
}
