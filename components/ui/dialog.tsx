'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { AnnouncerRegion } from './announcer';
import styles from './dialog.module.css';
import { focusNear, pathOf } from './focus-near';
import { Sign } from './sign';

type DialogProps = {
  open: boolean;
  title: string;
  /** Called on Escape, on the cross and on a press outside. */
  onClose: () => void;
  children: ReactNode;
  actions?: ReactNode;
};

/**
 * A window over the page. The browser keeps the focus inside, and returns it to the opener at the
 * end.
 */
export function Dialog({ open, title, onClose, children, actions }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const opener = useRef<HTMLElement[]>([]);
  const titleId = useId();
  const t = useTranslations('ui');
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) {
      opener.current = pathOf(document.activeElement);
      dialog.showModal();
    }
    if (!open && dialog.open) dialog.close();
    // The browser returns the focus to the opener, which may have left the page.
    if (!open && document.activeElement === document.body) focusNear(opener.current);
  }, [open]);
  return (
    // Escape does for the keyboard what a press outside does for the pointer.
    <dialog
      ref={ref}
      className={styles['dialog']}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      {open ? (
        <div className={styles['inside']}>
          <div className={styles['head']}>
            <h2 id={titleId}>{title}</h2>
            <button
              type="button"
              className={styles['close']}
              aria-label={t('close', { title })}
              onClick={onClose}
            >
              <Sign name="cross" />
            </button>
          </div>
          {children}
          {actions ? <div className={styles['actions']}>{actions}</div> : null}
          <AnnouncerRegion />
        </div>
      ) : null}
    </dialog>
  );
}
