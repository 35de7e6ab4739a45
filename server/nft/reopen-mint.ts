import type { MintAttempt, PrismaClient } from '@/generated/prisma/client';
import { quietUntil, type Fenced } from './mint-state';
import { writeFenced } from './write-fenced';

/**
 * Takes back a landed mint whose transaction the chain dropped for good: the mint is pending again and
 * the next transaction may be signed. Nobody refused anything, so it is not counted as an attempt.
 */
export function reopenMint(o: {
  db: PrismaClient;
  attempt: MintAttempt;
  fence: bigint;
  outcome: 'failed' | 'expired';
  now: Date;
}): Promise<Fenced> {
  const { attempt, now } = o;
  const lastError = `the mint transaction ${attempt.signature} vanished before it was final`;
  return o.db.$transaction(async (tx) => {
    const opened = await writeFenced(
      { db: tx, id: attempt.mintId, fence: o.fence },
      {
        status: 'pending',
        stage: 'metadata_stored',
        lastError,
        mintSignature: null,
        mintSlot: null,
        tree: null,
        collection: null,
        leafIndex: null,
        assetId: null,
        completedAt: null,
        updatedAt: now,
        redriveAt: quietUntil(now),
      },
      { finalAt: null, stage: { in: ['landed', 'recorded'] } },
    );
    if (opened === 'done')
      await tx.mintAttempt.update({
        where: { id: attempt.id },
        data: { outcome: o.outcome, error: lastError, settledAt: now },
      });
    return opened;
  });
}
