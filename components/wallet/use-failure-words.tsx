'use client';

import { TRPCClientError } from '@trpc/client';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { failureOf } from '../api-client';
import { isLostCode } from '../ui/use-code';
import { English, useErrorWords } from '../use-error-words';
import { AnotherAccount, isRejection } from './signer';
import { WalletSilent } from './wallet-wait';

/** Returns the reason, in the reader's language, why a joint step of wallet and service failed. */
export function useFailureWords(): (error: unknown, wallet: string) => ReactNode {
  const t = useTranslations('wallet');
  const errorWords = useErrorWords();
  return function words(error, wallet) {
    if (error instanceof WalletSilent)
      return t(error.reason === 'stopped' ? 'refusal.stopped' : 'refusal.timedOut', { wallet });
    if (error instanceof AnotherAccount) return t('refusal.otherAccount', { wallet });
    if (isRejection(error)) return t('refusal.rejected', { wallet });
    const isOurs =
      error instanceof Error && !(error instanceof TRPCClientError) && !isLostCode(error);
    return isOurs && error.message !== '' ? (
      <English>{error.message}</English>
    ) : (
      errorWords(failureOf(error))
    );
  };
}
