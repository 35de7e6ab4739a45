import { useTranslations } from 'next-intl';
import { Button } from '../ui/button';
import styles from './waiting-bar.module.css';
import type { Waiting } from './wallet-wait';

/**
 * Says that a wallet has an open request, and lets the reader end the wait. The region is always in
 * the page.
 */
export function WaitingBar({ waiting }: { waiting: Waiting | null }) {
  const t = useTranslations('wallet');
  return (
    <div className={styles['region']} role="status" aria-label={t('region')}>
      {waiting ? (
        <div className={styles['bar']}>
          <span>{waiting.open ? t('tap') : t('waiting', { wallet: waiting.wallet })}</span>
          {waiting.open ? (
            <Button size="small" variant="primary" onClick={waiting.open}>
              {t('openApp')}
            </Button>
          ) : null}
          <Button size="small" onClick={waiting.stop}>
            {t('stop')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
