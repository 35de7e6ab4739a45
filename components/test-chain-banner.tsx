import { useTranslations } from 'next-intl';
import styles from './test-chain-banner.module.css';

/** Says on every page of a local service that its receipts are play. */
export function TestChainBanner() {
  const t = useTranslations('frame');
  return (
    <aside className={styles['banner']} aria-label={t('testChain')}>
      {t.rich('testChainText', { b: (text) => <strong>{text}</strong> })}
    </aside>
  );
}
