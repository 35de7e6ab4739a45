import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { LanguageSwitch } from './language-switch';
import type { Site } from './site-context';
import styles from './site-frame.module.css';
import type { Theme } from './theme';
import { ThemeSwitch } from './theme-switch';

const PAGES = [
  ['/docs', 'reference'],
  ['/terms', 'terms'],
  ['/privacy', 'privacy'],
] as const;

export function SiteFooter({ theme, operator }: { theme: Theme; operator: Site['operator'] }) {
  const t = useTranslations('frame');
  return (
    <footer className={`${styles['footer']} screen-only`}>
      <div className={styles['bar']}>
        <nav className={styles['links']} aria-label={t('about')}>
          {PAGES.map(([href, name]) => (
            <Link key={href} href={href} prefetch={false}>
              {t(name)}
            </Link>
          ))}
        </nav>
        <p className={styles['operator']}>
          {t.rich('operator', {
            name: operator.name,
            contact: operator.contact,
            bdi: (text) => <bdi>{text}</bdi>,
            link: (text) => <a href={operator.contactUri}>{text}</a>,
          })}
        </p>
        <LanguageSwitch />
        <ThemeSwitch initial={theme} />
      </div>
    </footer>
  );
}
