'use client';

import { TRPCClientError } from '@trpc/client';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { failureOf } from '../api-client';
import { English, useErrorWords } from '../use-error-words';
import { AnotherAccount, isRejection } from './signer';
import { WalletSilent } from './wallet-wait';

/** Gives the reason, in the reader's language, why a step that wallet and service take together failed. */
export function useFailureWords(): (error: unknown, wallet: string) => ReactNode {
  const t = useTranslations('wallet');
  const errorWords = useErrorWords();
  return function words(error, wallet) {
    if (error instanceof WalletSilent)
      return t(error.reason === 'stopped' ? 'refusal.stopped' : 'refusal.timedOut', { wallet });
    if (error instanceof AnotherAccount) return t('refusal.otherAccount', { wallet });
    if (isRejection(error)) return t('refusal.rejected', { wallet });
    const isOurs = error instanceof Error && !(error instanceof TRPCClientError);
    return isOurs && error.message !== '' ? (
      <English>{error.message}</English>
    ) : (
      errorWords(failureOf(error))
    );
  };
}
