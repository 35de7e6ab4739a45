'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Button } from '../ui/button';
import { useToast } from '../ui/toast';
import styles from './docs.module.css';

/** Runnable code, with a button that copies it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  const t = useTranslations('ui');
  const locale = useLocale();
  const toast = useToast();
  const copy = () =>
    navigator.clipboard.writeText(code).then(
      () => toast(t('copied', { label })),
      () => toast(t('copyFailed')),
    );
  return (
    <div>
      <div className={styles['copy']}>
        <Button
          size="small"
          variant="quiet"
          lang={locale}
          aria-label={`${t('copyShort')}: ${label}`}
          onClick={copy}
        >
          {t('copyShort')}
        </Button>
      </div>
      <pre className={styles['code']} tabIndex={0} aria-label={label}>
        {code}
      </pre>
    </div>
  );
}
