import type { MintAttempt, PrismaClient } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import type { Db } from '@/server/db/client';
import {
  DROPPED,
  type DroppedCode,
  type Fenced,
  type MintStage,
  MOST_ATTEMPTS,
  quietUntil,
  writeFenced,
} from './mint-rows';

export type RetryResult =
  /** `round` distinguishes this repeat from earlier ones: pass it on when queueing the mint. */
  | { state: 'retried'; paid: boolean; round: number }
  | { state: 'not_found' }
  | { state: 'refused'; reason: string };

/**
 * Queues a failed mint again with no attempts counted, from its last completed step. A signed
 * transaction that may still land is settled first, as always. Writes the audit row with it.
 */
export function retryMint(
  db: PrismaClient,
  o: { id: string; actor: string; now: Date },
): Promise<RetryResult> {
  return db.$transaction(async (tx) => {
    const mint = await tx.mint.findUnique({ where: { id: o.id } });
    if (!mint) return { state: 'not_found' };
    if (mint.status !== 'failed')
      return { state: 'refused', reason: `the mint is ${mint.status}, not failed` };
    if (DROPPED.some((code) => code === mint.lastError))
      return { state: 'refused', reason: `the mint ended with ${mint.lastError ?? ''}` };
    const { count } = await tx.mint.updateMany({
      where: { id: o.id, status: 'failed', redrives: mint.redrives },
      data: {
        status: 'pending',
        attempts: 0,
        lastError: null,
        redrives: { increment: 1 },
        redriveAt: quietUntil(o.now),
        updatedAt: o.now,
      },
    });
    if (count === 0) return { state: 'refused', reason: 'someone else retried it just now' };
    await writeAudit(tx, {
      at: o.now,
      actor: o.actor,
      action: 'mint.retry',
      subject: o.id,
      detail: { attempts: mint.attempts, lastError: mint.lastError, stage: mint.stage },
    });
    return { state: 'retried', paid: mint.paid, round: mint.redrives + 1 };
  });
}

/**
 * Takes back a landed mint whose transaction the chain dropped: the mint is pending again, and
 * the next transaction may be signed. Nothing was refused, so it is not counted as an attempt.
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

/**
 * Ends the pause of pending mints, so that they run now and not at the next sweep. Returns the
 * repeat number of each and whether it is paid for. A mint that is not pending is unchanged. Writes
 * the audit row with it. Leases stay: a worker of a mint continues.
 */
export function releaseHeld(
  db: PrismaClient,
  o: { ids: string[]; actor: string; now: Date },
): Promise<{ id: string; paid: boolean; round: number }[]> {
  return db.$transaction(async (tx) => {
    const released = await tx.mint.updateManyAndReturn({
      where: { id: { in: o.ids }, status: 'pending' },
      data: { redrives: { increment: 1 }, redriveAt: quietUntil(o.now) },
      select: { id: true, paid: true, redrives: true },
    });
    for (const { id } of released)
      await writeAudit(tx, {
        at: o.now,
        actor: o.actor,
        action: 'mint.release',
        subject: id,
        detail: {},
      });
    return released.map(({ redrives, ...mint }) => ({ ...mint, round: redrives }));
  });
}

/**
 * Ends a pending mint because its transfer or payment vanished. `fence` is left out where the caller
 * holds no lease; a mint that has a signed transaction is never ended this way.
 */
export async function failMint(o: {
  db: Db;
  id: string;
  fence?: bigint;
  code: DroppedCode;
  now: Date;
}): Promise<Fenced> {
  const { count } = await o.db.mint.updateMany({
    where: {
      id: o.id,
      status: 'pending',
      tries: { none: { OR: [{ outcome: null }, { outcome: 'landed' }] } },
      ...(o.fence === undefined ? {} : { fence: o.fence }),
    },
    data: { status: 'failed', lastError: o.code, updatedAt: o.now },
  });
  return count === 1 ? 'done' : 'lost_lease';
}

export type Counted =
  | { status: 'pending' | 'failed'; attempts: number }
  /** Someone else owns the mint now; nothing was counted. */
  | { status: 'lost_lease' };

/**
 * Counts one attempt that an upstream or the chain refused; the third makes the mint `failed`. `stage`
 * is where the next attempt begins, if that is not the current stage.
 */
export async function countRefusal(o: {
  db: Db;
  id: string;
  fence: bigint;
  error: string;
  now: Date;
  stage?: MintStage;
}): Promise<Counted> {
  const [counted] = await o.db.mint.updateManyAndReturn({
    where: { id: o.id, fence: o.fence, status: 'pending' },
    data: {
      attempts: { increment: 1 },
      lastError: o.error,
      updatedAt: o.now,
      redriveAt: quietUntil(o.now),
      ...(o.stage === undefined ? {} : { stage: o.stage }),
    },
    select: { attempts: true },
  });
  if (!counted) return { status: 'lost_lease' };
  if (counted.attempts < MOST_ATTEMPTS) return { status: 'pending', attempts: counted.attempts };
  // The row is still ours: a lost lease would have moved the fence, and then nothing is written.
  const { count } = await o.db.mint.updateMany({
    where: { id: o.id, fence: o.fence, status: 'pending', attempts: { gte: MOST_ATTEMPTS } },
    data: { status: 'failed' },
  });
  return count === 1 ? { status: 'failed', attempts: counted.attempts } : { status: 'lost_lease' };
}
