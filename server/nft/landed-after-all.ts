import type { MintAttempt, PrismaClient } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import { quietUntil } from './mint-state';
import { writeFenced } from './write-fenced';

export type LateLanding =
  /** It is the mint's NFT: the next step reads its leaf. */
  | 'recorded'
  /** Another transaction had minted the receipt: this NFT is a second one. */
  | 'duplicate'
  /** Another transaction of the mint may still land: look again when it is settled. */
  | 'later'
  | 'lost_lease';

/** Those of some expired attempts that a node shows as final and without error after all. Throws RpcUnavailable. */
export async function landedAfterAll(
  rpc: Pick<Rpc, 'getSignatureStatuses'>,
  attempts: readonly MintAttempt[],
): Promise<MintAttempt[]> {
  if (attempts.length === 0) return [];
  const statuses = await rpc.getSignatureStatuses(attempts.map(({ signature }) => signature));
  return attempts.filter((_, at) => {
    const status = statuses[at];
    return status?.err === null && status.confirmationStatus === 'finalized';
  });
}

/**
 * Writes down that an attempt which counted as expired landed after all. Only the holder of the mint's lease may
 * do so, since another may be about to sign.
 */
export function recordLateLanding(o: {
  db: PrismaClient;
  attempt: MintAttempt;
  fence: bigint;
  now: Date;
}): Promise<LateLanding> {
  const { attempt, fence, now } = o;
  return o.db.$transaction(async (tx): Promise<LateLanding> => {
    const other = await tx.mintAttempt.findFirst({
      where: { mintId: attempt.mintId, OR: [{ outcome: null }, { outcome: 'landed' }] },
    });
    const settle = (data: { outcome: 'landed' | 'duplicate'; error: string | null }) =>
      tx.mintAttempt.updateMany({
        where: { id: attempt.id, outcome: 'expired' },
        data: { ...data, settledAt: now },
      });
    if (other?.outcome === null) return 'later';
    if (other) {
      await settle({ outcome: 'duplicate', error: `landed beside ${other.signature}` });
      return 'duplicate';
    }
    const moved = await writeFenced(
      { db: tx, id: attempt.mintId, fence },
      {
        ...{ status: 'pending', stage: 'landed', lastError: null, updatedAt: now },
        ...{ redriveAt: quietUntil(now), redrives: { increment: 1 } },
      },
    );
    if (moved === 'done') await settle({ outcome: 'landed', error: null });
    return moved === 'done' ? 'recorded' : moved;
  });
}

/** Expired attempts that were settled since a time; a page after `after`, by id. */
export function expiredAttempts(
  db: Db,
  o: { since: Date; after: bigint; limit: number },
): Promise<MintAttempt[]> {
  return db.mintAttempt.findMany({
    where: { outcome: 'expired', settledAt: { gte: o.since }, id: { gt: o.after } },
    orderBy: { id: 'asc' },
    take: o.limit,
  });
}
