import Link from 'next/link';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names';

type Look = {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'normal' | 'small';
  /** As wide as its column. */
  wide?: boolean;
  children: ReactNode;
};

type ButtonProps = Look & {
  /** Busy: shows it, and cannot be pressed again. */
  busy?: boolean;
} & ButtonHTMLAttributes<HTMLButtonElement>;

/**
 * A button. Disabled and busy ones keep the focus and stay readable to screen readers. They are
 * marked as disabled and do nothing, but stay in the tab order.
 */
export function Button({
  variant = 'secondary',
  size = 'normal',
  wide = false,
  busy = false,
  disabled = false,
  children,
  className,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const off = busy || disabled;
  return (
    <button
      {...rest}
      type={off ? 'button' : type}
      className={classNames(look({ variant, size, wide }), className)}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      onClick={off ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <span className={styles['spinner']} aria-hidden="true" /> : null}
      {children}
    </button>
  );
}

/** A link with the style of a button, to a page or a file. */
export function ButtonLink({
  variant = 'secondary',
  size = 'normal',
  wide = false,
  children,
  className,
  href,
  ...rest
}: Look & { href: string } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const names = classNames(look({ variant, size, wide }), className);
  const isPage = href.startsWith('/') && rest.download === undefined && rest.target === undefined;
  return isPage ? (
    <Link {...rest} href={href} className={names} prefetch={false}>
      {children}
    </Link>
  ) : (
    <a {...rest} href={href} className={names}>
      {children}
    </a>
  );
}

function look(o: Required<Pick<Look, 'variant' | 'size' | 'wide'>>): string {
  return classNames(
    styles['button'],
    o.variant !== 'secondary' && styles[o.variant],
    o.size === 'small' && styles['small'],
    o.wide && styles['wide'],
  );
}
