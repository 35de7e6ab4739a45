import { Prisma, type MintAttempt, type PrismaClient } from '@/generated/prisma/client';
import { countRefusal, type Counted } from './count-refusal';
import { markTreeFull } from './mark-tree-full';
import { quietUntil, type Fenced } from './mint-state';
import { MINTER_CANNOT_PAY, TREE_FULL } from './program-error';
import { writeFenced } from './write-fenced';

type Owned = { db: PrismaClient; attempt: MintAttempt; fence: bigint; now: Date };

/** Writes that the signed transaction landed, in one statement. Safe to repeat. */
export async function markLanded({ db, attempt, fence, now }: Owned): Promise<Fenced> {
  const [row] = await db.$queryRaw<{ moved: bigint }[]>(Prisma.sql`
    with moved as (
      update mints
      set stage = 'landed', last_error = null, updated_at = ${now}, redrive_at = ${quietUntil(now)}
      where id = ${attempt.mintId} and fence = ${fence} and stage in ('signed', 'landed')
      returning id
    ), settled as (
      update mint_attempts set outcome = 'landed', settled_at = ${now}
      where id = ${attempt.id} and outcome is null and exists (select 1 from moved)
    )
    select count(*) as moved from moved`);
  return row?.moved === 1n ? 'done' : 'lost_lease';
}

/**
 * Writes that the signed transaction is over without an NFT and counts it as an attempt; the mint goes
 * back to where the next one is signed. A full tree and a minter without money (`isUnpaid`, or as noted when it
 * was to be sent) are not the mint's fault: the tree is taken out of use, and nothing is counted.
 */
export function closeAttempt(
  o: Owned & {
    outcome: 'failed' | 'expired';
    error: string;
    code: number | null;
    isUnpaid: boolean;
    /** What a failed one cost; null when that is not known or nothing. */
    costLamports: bigint | null;
  },
): Promise<Counted> {
  const { attempt, fence, now, error, costLamports } = o;
  return o.db.$transaction(async (tx): Promise<Counted> => {
    const owned = { db: tx, id: attempt.mintId, fence };
    const back = { stage: 'metadata_stored', updatedAt: now } as const;
    const moved = await writeFenced(owned, back, { stage: 'signed', status: 'pending' });
    if (moved === 'lost_lease') return { status: moved };
    const { error: noted } = await tx.mintAttempt.findUniqueOrThrow({ where: { id: attempt.id } });
    await tx.mintAttempt.updateMany({
      where: { id: attempt.id, outcome: null },
      data: { outcome: o.outcome, error, settledAt: now, costLamports },
    });
    const wasUnpaid = o.isUnpaid || (o.outcome === 'expired' && noted === MINTER_CANNOT_PAY);
    if (o.code !== TREE_FULL && !wasUnpaid) return countRefusal({ ...owned, error, now });
    if (o.code === TREE_FULL) await markTreeFull(tx, attempt.tree, now);
    const lastError = wasUnpaid ? MINTER_CANNOT_PAY : error;
    await writeFenced(owned, { lastError, redriveAt: quietUntil(now) });
    const { attempts } = await tx.mint.findUniqueOrThrow({
      where: { id: attempt.mintId },
      select: { attempts: true },
    });
    return { status: 'pending', attempts };
  });
}
