'use client';

import { useEffect, useRef, type ReactNode } from 'react';
import styles from './site-frame.module.css';
import { LOST_CODE } from './watch-code';

/** Holds what a page says where its code did not load. The code of the page, once it runs, takes it back. */
export function LostCode({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!ref.current) return;
    ref.current.dataset['alive'] = 'yes';
    ref.current.hidden = true;
  }, []);
  return (
    // Here from the start, so that a screen reader says what comes into it.
    <div role="alert" className={styles['lost']}>
      <div ref={ref} id={LOST_CODE} hidden suppressHydrationWarning>
        {children}
      </div>
    </div>
  );
}
