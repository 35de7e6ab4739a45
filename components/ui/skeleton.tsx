'use client';

import { useEffect } from 'react';
import { useAnnounce } from './announcer';
import { classNames } from './class-names';
import styles from './skeleton.module.css';

/** If loading takes less, in ms, only the result is announced. */
const LONG_MS = 1_000;

/** The shape of a text that is still loading. Screen readers announce a long wait. */
export function Skeleton({ lines = 3, label }: { lines?: number; label: string }) {
  const announce = useAnnounce();
  useEffect(() => {
    const timer = setTimeout(() => announce(label), LONG_MS);
    return () => clearTimeout(timer);
  }, [announce, label]);
  return (
    <div>
      <span className="unseen">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={classNames(styles['skeleton'], styles['line'])} />
      ))}
    </div>
  );
}
