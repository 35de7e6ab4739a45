import Link from 'next/link';
import styles from './site-frame.module.css';
import type { Theme } from './theme';
import { ThemeSwitch } from './theme-switch';

const PAGES = [
  ['/docs', 'API reference'],
  ['/terms', 'Terms'],
  ['/privacy', 'Privacy'],
] as const;

export function SiteFooter({ theme }: { theme: Theme }) {
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
        <ThemeSwitch initial={theme} />
      </div>
    </footer>
  );
}
