import { useTranslations } from 'next-intl';
import encodeQr from 'qr';
import styles from './proof.module.css';

/** The foot of a printed receipt or statement: the address that shows its current state, for people and for phones. */
export function PrintedFoot({ address }: { address: string }) {
  const t = useTranslations('proof');
  return (
    <div className={`${styles['printed'] ?? ''} print-only`}>
      <div
        role="img"
        aria-label={t('printed.code')}
        dangerouslySetInnerHTML={{ __html: encodeQr(address, 'svg') }}
      />
      <div>
        <p className={styles['brand']}>Quittance</p>
        <p>{t.rich('printed.text', { address: () => <bdi className="mono">{address}</bdi> })}</p>
      </div>
    </div>
  );
}
