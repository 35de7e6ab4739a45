import { useTranslations } from 'next-intl';
import styles from './test-chain-banner.module.css';

/** A notice on every page of a local service that its receipts are not real. */
export function TestChainBanner() {
  const t = useTranslations('frame');
  return (
    <aside className={styles['banner']} aria-label={t('testChain')}>
      {t.rich('testChainText', { b: (text) => <strong>{text}</strong> })}
    </aside>
  );
}
