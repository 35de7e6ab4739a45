'use client';

import { useTranslations } from 'next-intl';
import { api } from '../api';
import { failureOf } from '../api-client';
import { useErrorWords } from '../use-error-words';
import { Button } from '../ui/button';
import { FocusedBanner } from '../ui/focused-banner';
import { useToast } from '../ui/toast';

/** Re-queues a failed receipt. */
export function Retry({ wallet, receiptId }: { wallet: string; receiptId: string }) {
  const t = useTranslations('dashboard');
  const ui = useTranslations('ui');
  const words = useErrorWords();
  const utils = api.useUtils();
  const toast = useToast();
  const retry = api.dashboard.retry.useMutation({
    onSuccess: async ({ mint_status }) => {
      toast(t(mint_status === 'pending' ? 'retry.started' : 'retry.tooSoon'));
      await utils.dashboard.invalidate();
    },
  });
  return (
    <>
      <Button
        size="small"
        busy={retry.isPending}
        onClick={() => retry.mutate({ wallet, receipt_id: receiptId })}
      >
        {ui('again')}
      </Button>
      {retry.error ? (
        <FocusedBanner about={retry.error} kind="error" title={t('retry.failed')}>
          {words(failureOf(retry.error))}
        </FocusedBanner>
      ) : null}
    </>
  );
}
