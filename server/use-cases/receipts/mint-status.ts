import type { Mint } from '@/generated/prisma/client';
import { ServiceError } from '@/server/errors';
import { isAtLeast, publicError } from '@/server/nft/mint-rows';
import { retryMint } from '@/server/nft/retry-mint';
import { awaitMint, findReceipt } from '@/server/receipts/find-receipt';
import type { ProgressBody } from '../web-schemas';
import { presentMintStatus } from './present-receipt';
import type { MintStatusBody } from './schemas';
import type { Call } from '../call';

/** The minting state of a receipt, held back up to `wait` seconds until it changes. */
export async function readMintStatus(
  call: Call<{ receipt_id: string; wait: number }>,
): Promise<MintStatusBody> {
  const { input } = call;
  const { mint } = await findReceipt(call.service.db, input.receipt_id);
  if (input.wait === 0 || mint.status !== 'pending') return presentMintStatus(mint);
  const changed = await awaitMint(call.service.db, {
    id: mint.id,
    waitS: input.wait,
    until: (row) =>
      row.status !== mint.status ||
      row.attempts !== mint.attempts ||
      row.lastError !== mint.lastError,
  });
  return presentMintStatus(changed ?? mint);
}

type Known = Pick<ProgressBody, 'stage' | 'attempts'>;

/** How long an answer is held back for a caller that knows the present stage, in seconds. */
const HELD_S = 15;

/** How far the mint of a receipt or statement is. The answer is held until that changes. */
export async function readProgress(
  call: Call<{ receipt_id: string; known?: Known | undefined }>,
): Promise<ProgressBody> {
  const { input } = call;
  const mint = await call.service.db.mint.findUnique({ where: { id: input.receipt_id } });
  if (!mint)
    throw new ServiceError('receipt_not_found', `There is no receipt ${input.receipt_id}.`);
  const { known } = input;
  if (!known || mint.status !== 'pending') return presentProgress(mint);
  const changed = await awaitMint(call.service.db, {
    id: mint.id,
    waitS: HELD_S,
    until: (row) =>
      row.status !== 'pending' || stageOf(row) !== known.stage || row.attempts !== known.attempts,
  });
  return presentProgress(changed ?? mint);
}

/** The stage of a mint, for the page of what is being made. */
export function presentProgress(mint: Mint): ProgressBody {
  return {
    receipt_id: mint.id,
    mint_status: mint.status,
    stage: stageOf(mint),
    attempts: mint.attempts,
    last_error: publicError(mint),
    since: mint.createdAt.toISOString(),
    updated_at: mint.updatedAt.toISOString(),
  };
}

function stageOf({ status, stage }: Mint): ProgressBody['stage'] {
  if (status === 'completed') return 'proven';
  if (isAtLeast(stage, 'signed')) return 'sent';
  if (isAtLeast(stage, 'metadata_stored')) return 'stored';
  return isAtLeast(stage, 'final') ? 'final' : 'written';
}

/**
 * Starts a failed mint again, at most once an hour. The caller is a participant, or repeats the
 * request that paid for a statement, which needs no proof of wallet. `failMint` and every attempt
 * leave the time of the failure in `updatedAt`. Returns the mint after that.
 */
export async function retryFailedMint(call: Call, mint: Mint): Promise<Mint> {
  const { db, clock, jobs } = call.service;
  const now = clock.now();
  if (mint.status !== 'failed' || now.getTime() - mint.updatedAt.getTime() < RETRY_SPACING_MS)
    return mint;
  const retried = await retryMint(db, { id: mint.id, actor: 'participant', now });
  if (retried.state !== 'retried') return mint;
  await jobs.startMint(mint, retried.round);
  return { ...mint, status: 'pending', attempts: 0, lastError: null, updatedAt: now };
}

const RETRY_SPACING_MS = 3_600_000;
