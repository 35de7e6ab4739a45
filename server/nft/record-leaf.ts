import { Prisma, type Mint, type MintAttempt, type PrismaClient } from '@/generated/prisma/client';
import { LANDING_WINDOW_BLOCKS } from '@/server/chain/landing-margin';
import type { Rpc } from '@/server/chain/rpc';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { signatureFinality } from '@/server/chain/signature-finality';
import { noteLongOpen, noteUndecided } from '@/server/chain/undecided';
import type { Db } from '@/server/db/client';
import { judgeAttempt, type Verdict } from './judge-attempt';
import { quietUntil, type Fenced } from './mint-state';
import { readLeaf, type MintedLeaf } from './read-leaf';
import { reopenMint } from './reopen-mint';

/** An owned mint and the transaction of it that landed, with what it is looked at by. */
export type LandedMint = {
  db: PrismaClient;
  rpc: Rpc;
  mint: Mint;
  attempt: MintAttempt;
  fence: bigint;
  now: Date;
};

export type RecordResult =
  | { state: 'recorded'; assetId: string }
  /** No node shows the leaf of the transaction at the moment. */
  | { state: 'waiting'; reason: string }
  /** The transaction is gone for good: sign another. */
  | { state: 'reopened' }
  | { state: 'lost_lease' };

/** Reads the leaf from the landed transaction and completes the mint. Throws RpcUnavailable. */
export async function recordLeaf(o: LandedMint): Promise<RecordResult> {
  const { rpc, mint, attempt } = o;
  const minted = await readLeaf({ rpc, mint, attempt, commitment: 'confirmed' });
  if (!minted) return lookForGone(o);
  const written = await writeLeaf({ ...o, minted, stage: 'recorded' });
  return written === 'done'
    ? { state: 'recorded', assetId: minted.leaf.assetId }
    : { state: written };
}

async function lookForGone(o: LandedMint): Promise<RecordResult> {
  const verdict = await judgeLanded(o);
  if (verdict.state === 'undecided')
    return { state: 'waiting', reason: `undecided: ${verdict.reason}` };
  const reason = 'no node shows the leaf of the mint transaction yet';
  const isOver = verdict.state === 'expired' || verdict.state === 'failed';
  if (!isOver && !(await isClosedOnRecord(o, reason))) return { state: 'waiting', reason };
  const reopened = await reopenMint({ ...o, outcome: isOver ? verdict.state : 'expired' });
  return { state: reopened === 'done' ? 'reopened' : reopened };
}

/**
 * Puts a mint transaction on record that has been open for over an hour, and tells whether the operator closed it. A
 * close counts for nothing once two nodes know the transaction as final, or the one there is.
 */
export async function isClosedOnRecord(o: LandedMint, reason: string): Promise<boolean> {
  const { signature, mintId: subject, createdAt: since } = o.attempt;
  const one = { signature, kind: 'mint', subject, reason, since, now: o.now } as const;
  return (await noteLongOpen(o.db, one)) === 'closed' && !(await isKnownFinal(o));
}

async function isKnownFinal({ rpc, attempt }: LandedMint): Promise<boolean> {
  try {
    return (await signatureFinality({ rpc, signature: attempt.signature })) === 'finalized';
  } catch (error) {
    if (isNodeSilence(error)) return false;
    throw error;
  }
}

/**
 * What became of a transaction that was seen to land. Where the nodes cannot prove it, that is put on record,
 * and one that the operator closed counts as expired.
 */
export async function judgeLanded(o: LandedMint): Promise<Verdict> {
  const { rpc, attempt } = o;
  const verdict = await judgeAttempt({ rpc, attempt, windowBlocks: LANDING_WINDOW_BLOCKS });
  if (verdict.state !== 'undecided') return verdict;
  const { signature, mintId: subject } = o.attempt;
  const { reason } = verdict;
  const noted = await noteUndecided(o.db, { signature, kind: 'mint', subject, reason });
  return noted === 'closed' ? { state: 'expired' } : verdict;
}

/**
 * Writes the leaf's facts, completes the mint (`closed`: for good, with what it cost) and counts the leaf in its
 * tree, in one statement. The count is never lowered: mints are recorded in any order.
 */
export async function writeLeaf(o: {
  db: Db;
  mint: Mint;
  attempt: MintAttempt;
  minted: MintedLeaf;
  stage: 'recorded' | 'closed';
  fence: bigint;
  now: Date;
}): Promise<Fenced> {
  const { now } = o;
  const { leaf, slot, costLamports } = o.minted;
  const leaves = leaf.leafIndex + 1n;
  const [row] = await o.db.$queryRaw<{ written: bigint }[]>(Prisma.sql`
    with written as (
      update mints
      set status = 'completed', stage = ${o.stage}, last_error = null,
        mint_signature = ${o.attempt.signature}, mint_slot = ${slot}, tree = ${leaf.tree},
        leaf_index = ${leaf.leafIndex}, asset_id = ${leaf.assetId},
        collection = ${leaf.collection},
        completed_at = coalesce(completed_at, ${now}), updated_at = ${now},
        redrive_at = ${quietUntil(now)},
        final_at = case when ${o.stage} = 'closed' then ${now} else final_at end
      where id = ${o.mint.id} and fence = ${o.fence} and stage in ('landed', 'recorded')
      returning id
    ), costed as (
      update mint_attempts set cost_lamports = ${costLamports}
      where id = ${o.attempt.id} and ${o.stage} = 'closed' and exists (select 1 from written)
    ), counted as (
      update trees set minted = ${leaves}
      where address = ${leaf.tree} and minted < ${leaves} and exists (select 1 from written)
    )
    select count(*) as written from written`);
  return row?.written === 1n ? 'done' : 'lost_lease';
}
