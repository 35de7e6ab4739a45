'use client';

import { useEffect, useRef, type ReactNode } from 'react';
import { useAnnounce } from './announcer';
import styles from './banner.module.css';
import { classNames } from './class-names';
import { Sign, type SignName } from './sign';

const SIGNS = {
  info: 'info',
  success: 'check',
  warning: 'warning',
  error: 'cross',
} as const satisfies Record<string, SignName>;

type BannerProps = {
  kind?: keyof typeof SIGNS;
  title?: string;
  children?: ReactNode;
  /** The next step: one or two buttons. */
  actions?: ReactNode;
  /** In the page from the start, or announced by the part that shows it. */
  quiet?: boolean;
};

/**
 * Says what happened, whether money moved, and what to do. Screen readers announce it unless it is
 * `quiet`.
 */
export function Banner({ kind = 'info', title, children, actions, quiet = false }: BannerProps) {
  const text = useRef<HTMLDivElement>(null);
  const said = useRef('');
  const announce = useAnnounce();
  // After each render, because the words are known only in the page.
  useEffect(() => {
    if (quiet) return;
    const words = [title, text.current?.textContent].filter(Boolean).join(': ');
    if (words === said.current) return;
    // Lines that the parts around it announce at the same moment come first.
    const timer = setTimeout(() => {
      said.current = words;
      announce(words);
    });
    return () => clearTimeout(timer);
  });
  return (
    <div className={classNames(styles['banner'], styles[kind])}>
      <Sign name={SIGNS[kind]} />
      <div className={styles['body']}>
        {title ? <p className={styles['title']}>{title}</p> : null}
        {children ? <div ref={text}>{children}</div> : null}
        {actions ? <div className="row">{actions}</div> : null}
      </div>
    </div>
  );
}
