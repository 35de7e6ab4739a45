import type { Mint, MintAttempt, PrismaClient } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import { findLandedAttempt } from './find-attempt';
import { judgeAttempt } from './judge-attempt';
import { quietUntil, type Fenced } from './mint-state';
import { readLeaf, type MintedLeaf } from './read-leaf';
import { reopenMint } from './reopen-mint';
import { writeFenced } from './write-fenced';

export type RecordResult =
  | { state: 'recorded'; assetId: string }
  /** No node has the transaction at the moment. */
  | { state: 'waiting'; reason: string }
  /** The transaction is gone for good: sign another. */
  | { state: 'reopened' }
  | { state: 'lost_lease' };

/**
 * Reads the leaf from the landed transaction and completes the mint. Throws Error when the transaction
 * does not hold our leaf, and RpcUnavailable.
 */
export async function recordLeaf(o: {
  db: PrismaClient;
  rpc: Rpc;
  id: string;
  fence: bigint;
  now: Date;
}): Promise<RecordResult> {
  const { db, rpc, id, fence, now } = o;
  const mint = await db.mint.findFirst({ where: { id, fence } });
  const attempt = await findLandedAttempt(db, id);
  if (!mint || !attempt) return { state: 'lost_lease' };
  const minted = await readLeaf({ rpc, mint, attempt, commitment: 'confirmed' });
  if (!minted) return lookForGone(o, attempt);
  const written = await db.$transaction((tx) =>
    writeLeaf({ db: tx, mint, attempt, minted, fence, now }),
  );
  return written === 'done'
    ? { state: 'recorded', assetId: minted.leaf.assetId }
    : { state: written };
}

async function lookForGone(
  o: { db: PrismaClient; rpc: Rpc; fence: bigint; now: Date },
  attempt: MintAttempt,
): Promise<RecordResult> {
  const verdict = await judgeAttempt({ rpc: o.rpc, attempt });
  if (verdict.state !== 'expired' && verdict.state !== 'failed')
    return { state: 'waiting', reason: 'the nodes do not have the mint transaction yet' };
  const reopened = await reopenMint({ ...o, attempt, outcome: verdict.state });
  return { state: reopened === 'done' ? 'reopened' : reopened };
}

/** Writes the leaf's facts, completes the mint and counts the leaf in its tree; call it in a transaction. */
export async function writeLeaf(o: {
  db: Db;
  mint: Mint;
  attempt: MintAttempt;
  minted: MintedLeaf;
  fence: bigint;
  now: Date;
}): Promise<Fenced> {
  const { db, mint, attempt, minted, fence, now } = o;
  const { leaf, slot } = minted;
  const written = await writeFenced(
    { db, id: mint.id, fence },
    {
      status: 'completed',
      stage: 'recorded',
      lastError: null,
      mintSignature: attempt.signature,
      mintSlot: slot,
      tree: leaf.tree,
      leafIndex: leaf.leafIndex,
      assetId: leaf.assetId,
      completedAt: mint.completedAt ?? now,
      updatedAt: now,
      redriveAt: quietUntil(now),
    },
    { stage: { in: ['landed', 'recorded'] } },
  );
  if (written === 'lost_lease') return written;
  // Never lowered: mints are recorded in any order.
  const leaves = leaf.leafIndex + 1n;
  await db.tree.updateMany({
    where: { address: leaf.tree, minted: { lt: leaves } },
    data: { minted: leaves },
  });
  return written;
}
