'use client';

import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
import styles from './toast.module.css';

/** Long enough to read one short line. */
const SHOWN_MS = 4_000;

const ToastContext = createContext<(message: string) => void>(() => undefined);

/** Holds the line at the foot of the window that confirms a small action. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<{ message: string; at: number } | null>(null);
  const show = useCallback((message: string) => setToast({ message, at: Date.now() }), []);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(() => setToast(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <ToastContext value={show}>
      {children}
      <div className={styles['region']} role="status" aria-live="polite">
        {toast ? (
          <p key={toast.at} className={styles['toast']}>
            {toast.message}
          </p>
        ) : null}
      </div>
    </ToastContext>
  );
}

/** Shows one short line for a few seconds. Never for an error, which stays until it is solved. */
export function useToast(): (message: string) => void {
  return useContext(ToastContext);
}
