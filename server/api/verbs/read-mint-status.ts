import { awaitMint } from '@/server/receipts/await-mint';
import { findReceipt } from '@/server/receipts/find-receipt';
import { presentMintStatus } from '../present';
import type { RequestContext } from '../request-context';
import type { MintStatusBody } from '../schemas';

/** The minting state of a receipt, held back up to `wait` seconds until it changes. */
export async function readMintStatus(
  ctx: RequestContext,
  input: { receipt_id: string; wait: number },
): Promise<MintStatusBody> {
  const { mint } = await findReceipt(ctx.service.db, input.receipt_id);
  if (input.wait === 0 || mint.status !== 'pending') return presentMintStatus(mint);
  const changed = await awaitMint(ctx.service.db, {
    id: mint.id,
    waitS: input.wait,
    until: (row) =>
      row.status !== mint.status ||
      row.attempts !== mint.attempts ||
      row.lastError !== mint.lastError,
  });
  return presentMintStatus(changed ?? mint);
}
