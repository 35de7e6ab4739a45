'use client';

import { useTranslations } from 'next-intl';
import { api } from '../api';
import { failureOf } from '../api-client';
import { useErrorWords } from '../use-error-words';
import { Button } from '../ui/button';
import { useToast } from '../ui/toast';

/** Re-queues a failed receipt. */
export function Retry({ receiptId }: { receiptId: string }) {
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
        onClick={() => retry.mutate({ receipt_id: receiptId })}
      >
        {ui('again')}
      </Button>
      {retry.error ? <span role="alert">{words(failureOf(retry.error))}</span> : null}
    </>
  );
}
