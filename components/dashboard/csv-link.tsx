'use client';

import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { api } from '../api';
import { failureOf, type ApiFailure } from '../api-client';
import { ButtonLink } from '../ui/button';
import { FocusedBanner } from '../ui/focused-banner';
import { Sign } from '../ui/sign';
import { useErrorWords } from '../use-error-words';
import styles from './dashboard.module.css';

/**
 * Downloads the rows that the filter selects. A browser does not show the refusal of a download, so
 * the session is read before: the page then shows the sign-in, or the other wallet.
 */
export function CsvLink({ wallet, wish }: { wallet: string; wish: Record<string, string> }) {
  const t = useTranslations('dashboard');
  const words = useErrorWords();
  const utils = api.useUtils();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const isRead = useRef(false);
  const download = async (link: HTMLAnchorElement) => {
    setFailure(null);
    try {
      const session = await utils.session.read.fetch(undefined, { staleTime: 0 });
      if (session?.wallet !== wallet) return;
    } catch (error) {
      setFailure(failureOf(error));
      return;
    }
    isRead.current = true;
    link.click();
    isRead.current = false;
  };
  return (
    <>
      <ButtonLink
        size="small"
        href={`/dashboard/receipts.csv?${new URLSearchParams(wish).toString()}`}
        download
        onClick={(event) => {
          if (isRead.current) return;
          event.preventDefault();
          void download(event.currentTarget);
        }}
      >
        <Sign name="down" /> {t('side.csv')}
      </ButtonLink>
      {failure ? (
        <div className={styles['below']}>
          <FocusedBanner about={failure} kind="error" title={t('side.csvFailed')}>
            {words(failure)}
          </FocusedBanner>
        </div>
      ) : null}
    </>
  );
}
