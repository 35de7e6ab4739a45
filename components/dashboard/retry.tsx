'use client';

import { api } from '../api';
import { failureOf } from '../api-client';
import { Button } from '../ui/button';
import { useToast } from '../ui/toast';

/** Re-queues a failed receipt. */
export function Retry({ receiptId }: { receiptId: string }) {
  const utils = api.useUtils();
  const toast = useToast();
  const retry = api.dashboard.retry.useMutation({
    onSuccess: async ({ mint_status }) => {
      toast(
        mint_status === 'pending'
          ? 'The proof is being made again.'
          : 'It was tried less than an hour ago. Try again later; the payment is not affected.',
      );
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
        Try again
      </Button>
      {retry.error ? <span role="alert">{failureOf(retry.error).message}</span> : null}
    </>
  );
}
