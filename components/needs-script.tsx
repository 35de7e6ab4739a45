import { useTranslations } from 'next-intl';
import styles from './site-frame.module.css';
import { Banner } from './ui/banner';

/** A notice for readers whose browser runs no JavaScript, on the pages that need it. */
export function NeedsScript() {
  const t = useTranslations('frame');
  return (
    <noscript>
      <div className={styles['needsScript']}>
        <Banner kind="warning" quiet title={t('noScript.title')}>
          {t('noScript.text')}
        </Banner>
      </div>
    </noscript>
  );
}
