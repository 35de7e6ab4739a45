'use client';

import Link from 'next/link';
import { useSite } from './site-context';
import styles from './site-frame.module.css';
import type { Theme } from './theme';
import { ThemeSwitch } from './theme-switch';

const PAGES = [
  ['/docs', 'API reference'],
  ['/terms', 'Terms'],
  ['/privacy', 'Privacy'],
] as const;

export function SiteFooter({ theme }: { theme: Theme }) {
  const { operator } = useSite();
  return (
    <footer className={`${styles['footer']} screen-only`}>
      <div className={styles['bar']}>
        <nav className={styles['links']} aria-label="About this service">
          {PAGES.map(([href, name]) => (
            <Link key={href} href={href} prefetch={false}>
              {name}
            </Link>
          ))}
        </nav>
        <p className={styles['operator']}>
          Operator: {operator.name}, <a href={operator.contactUri}>{operator.contact}</a>
        </p>
        <ThemeSwitch initial={theme} />
      </div>
    </footer>
  );
}
