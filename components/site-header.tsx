'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import styles from './site-frame.module.css';

const PAGES = [
  ['/', 'create'],
  ['/statements', 'statements'],
  ['/dashboard', 'dashboard'],
  ['/docs', 'docs'],
] as const;

export function SiteHeader() {
  const path = usePathname();
  const t = useTranslations('frame');
  return (
    <header className={`${styles['header']} screen-only`}>
      <a href="#content" className={styles['skip']}>
        {t('skip')}
      </a>
      <div className={styles['bar']}>
        <Link href="/" className={styles['brand']} prefetch={false}>
          <Mark />
          Quittance
        </Link>
        <nav className={styles['nav']} aria-label={t('pages')}>
          {PAGES.map(([href, name]) => (
            <Link
              key={href}
              href={href}
              prefetch={false}
              aria-current={
                (href === '/' ? path === '/' : path.startsWith(href)) ? 'page' : undefined
              }
            >
              {t(name)}
            </Link>
          ))}
        </nav>
      </div>
    </header>
  );
}

/** A slip of paper with a torn edge. */
function Mark() {
  return (
    <svg aria-hidden="true" width="18" height="20" viewBox="0 0 18 20" fill="none">
      <path
        d="M2 1h14v16.5l-2.3-1.8-2.4 2.8L9 15.7l-2.3 2.8-2.4-2.8L2 17.5z"
        fill="currentColor"
        fillOpacity="0.08"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinejoin="round"
      />
      <path d="M5.5 6h7M5.5 9.5h4" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" />
    </svg>
  );
}
