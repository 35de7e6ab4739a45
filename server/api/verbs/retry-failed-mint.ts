import type { Mint } from '@/generated/prisma/client';
import { sendMint } from '@/server/jobs/send-mint';
import { retryMint } from '@/server/nft/retry-mint';
import type { RequestContext } from '../request-context';

/**
 * A repeat by a participant sends a failed mint on its way again, at most once an hour; `failMint`
 * and every attempt leave the time of the failure in `updatedAt`. Gives the mint as it is then.
 */
export async function retryFailedMint(ctx: RequestContext, mint: Mint): Promise<Mint> {
  const { db, clock } = ctx.service;
  const now = clock.now();
  if (mint.status !== 'failed' || now.getTime() - mint.updatedAt.getTime() < RETRY_SPACING_MS)
    return mint;
  const retried = await retryMint(db, { id: mint.id, actor: 'participant', now });
  if (retried.state !== 'retried') return mint;
  await sendMint(mint, retried.round);
  return { ...mint, status: 'pending' };
}

const RETRY_SPACING_MS = 3_600_000;
