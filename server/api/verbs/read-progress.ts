import type { Mint } from '@/generated/prisma/client';
import { isAtLeast } from '@/server/nft/mint-state';
import { awaitMint } from '@/server/receipts/await-mint';
import { ServiceError } from '@/server/errors';
import { mintStatusOf } from '../present';
import type { RequestContext } from '../request-context';
import type { ProgressBody } from '../web-schemas';

type Known = Pick<ProgressBody, 'stage' | 'attempts'>;

/** How long an answer is held back for a caller that knows the present stage, in seconds. */
const HELD_S = 15;

/** How far a receipt or statement is on its way to its proof on chain, held back until that changes. */
export async function readProgress(
  ctx: RequestContext,
  input: { receipt_id: string; known?: Known | undefined },
): Promise<ProgressBody> {
  const mint = await ctx.service.db.mint.findUnique({ where: { id: input.receipt_id } });
  if (!mint)
    throw new ServiceError('receipt_not_found', `There is no receipt ${input.receipt_id}.`);
  const { known } = input;
  if (!known || mint.status !== 'pending') return present(mint);
  const changed = await awaitMint(ctx.service.db, {
    id: mint.id,
    waitS: HELD_S,
    until: (row) =>
      row.status !== 'pending' || stageOf(row) !== known.stage || row.attempts !== known.attempts,
  });
  return present(changed ?? mint);
}

function present(mint: Mint): ProgressBody {
  return {
    receipt_id: mint.id,
    mint_status: mintStatusOf(mint),
    stage: stageOf(mint),
    attempts: mint.attempts,
    last_error: mint.lastError,
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
