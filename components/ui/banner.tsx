import type { ReactNode } from 'react';
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
  /** The way on: one or two buttons. */
  actions?: ReactNode;
  /** Part of the page from the start, so nothing to interrupt a reader with. */
  quiet?: boolean;
};

/** Says what happened, whether money moved, and what to do. Errors are read out at once. */
export function Banner({ kind = 'info', title, children, actions, quiet = false }: BannerProps) {
  const role = quiet ? undefined : kind === 'error' ? 'alert' : 'status';
  return (
    <div className={classNames(styles['banner'], styles[kind])} role={role}>
      <Sign name={SIGNS[kind]} />
      <div className={styles['body']}>
        {title ? <p className={styles['title']}>{title}</p> : null}
        {children ? <div>{children}</div> : null}
        {actions ? <div className="row">{actions}</div> : null}
      </div>
    </div>
  );
}
