import { sendMint } from '@/server/jobs/send-mint';
import { retryMint } from '@/server/nft/retry-mint';
import type { ReceiptWithMint } from '@/server/receipts/find-receipt';
import type { RequestContext } from '../request-context';

/**
 * A repeat by a participant sends a failed mint on its way again, at most once an hour; `failMint`
 * and every attempt leave the time of the failure in `updatedAt`.
 */
export async function retryFailedMint(
  ctx: Pick<RequestContext, 'service'>,
  found: ReceiptWithMint,
): Promise<ReceiptWithMint> {
  const { db, clock } = ctx.service;
  const now = clock.now();
  const { mint, receipt } = found;
  if (mint.status !== 'failed' || now.getTime() - mint.updatedAt.getTime() < RETRY_SPACING_MS)
    return found;
  const retried = await retryMint(db, { id: mint.id, actor: 'participant', now });
  if (retried.state !== 'retried') return found;
  await sendMint(mint.id, retried.round);
  return { receipt, mint: { ...mint, status: 'pending' } };
}

const RETRY_SPACING_MS = 3_600_000;
