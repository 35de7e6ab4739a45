import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { MintAttempt, PrismaClient } from '@/generated/prisma/client';
import {
  areEnough,
  askEach,
  isFinalLanding,
  isWitnessed,
  signatureFinality,
  statusesByNode,
} from '@/server/chain/node-statuses';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import { glanceAt, type Verdict } from './judge-attempt';
import { quietUntil, writeFenced } from './mint-rows';
import { isClosedOnRecord, judgeLanded, type LandedMint, readLeaf, writeLeaf } from './read-leaf';
import { reopenMint } from './retry-mint';
import { sendMint } from './send-mint';

export type LookResult =
  | { state: 'closed' }
  | { state: 'not_yet' }
  /** The mint transaction is gone: sign another. */
  | { state: 'reopened' }
  | { state: 'lost_lease' };

/**
 * Checks a completed mint again. Final: its leaf is read again, because a fork may have given it
 * another slot and position. The mint is closed once a second node knows it as well. Gone, or
 * closed on record by the operator: the mint is opened again. Neither: the same bytes are sent
 * again if no node has them, and the answer is `not_yet`. Throws RpcUnavailable.
 */
export async function lookAgain(o: LandedMint): Promise<LookResult> {
  if (o.mint.finalAt !== null) return { state: 'closed' };
  const seen = await lookOnce(o);
  if (seen.state !== 'not_yet') return seen;
  if (!(await isClosedOnRecord(o, 'no two nodes know it as final'))) return seen;
  const reopened = await reopenMint({ ...o, outcome: 'expired' });
  return { state: reopened === 'done' ? 'reopened' : reopened };
}

async function lookOnce(o: LandedMint): Promise<LookResult> {
  const verdict = await judge(o);
  if (verdict.state === 'landed') return verdict.isFinal ? close(o) : { state: 'not_yet' };
  if (verdict.state === 'undecided') return { state: 'not_yet' };
  if (verdict.state === 'in_flight') {
    await sendMint(o);
    return { state: 'not_yet' };
  }
  // A node that still serves it contradicts the others, so nothing is minted again.
  if (await isServed(o, verdict.state)) return { state: 'not_yet' };
  const reopened = await reopenMint({ ...o, outcome: verdict.state });
  return { state: reopened === 'done' ? 'reopened' : reopened };
}

/** The cheap question first: nearly always the transaction is there. */
async function judge(o: LandedMint): Promise<Verdict> {
  const seen = await glanceAt(o);
  // One node may say for ever that it is confirmed, and stand still.
  return seen.state === 'landed' && seen.isFinal ? seen : judgeLanded(o);
}

async function close(o: LandedMint): Promise<LookResult> {
  if (!(await isKnownToTwo(o))) return { state: 'not_yet' };
  const minted = await readLeaf({ ...o, commitment: 'finalized' });
  if (!minted) return { state: 'not_yet' };
  const closed = await writeLeaf({ ...o, minted, stage: 'closed' });
  return { state: closed === 'done' ? 'closed' : closed };
}

/** Whether a second node knows it too, if there is one. */
async function isKnownToTwo({ rpc, attempt }: LandedMint): Promise<boolean> {
  if (!(rpc.nodes > 1)) return true;
  return (await signatureFinality({ rpc, signature: attempt.signature })) === 'finalized';
}

/**
 * Whether any node still has the transaction, or none answers. If the others report a failure, only
 * a success counts.
 */
async function isServed(
  { rpc, attempt }: LandedMint,
  said: 'expired' | 'failed',
): Promise<boolean> {
  const asked = await Promise.all(
    askEach(rpc, async (node) => ({
      raw: await node.getTransaction(attempt.signature, 'confirmed'),
    })),
  );
  const answers = asked.filter((one) => one !== null);
  if (answers.length === 0) return true;
  return answers.some(
    ({ raw }) => raw !== null && (said === 'expired' || (raw.meta !== null && !raw.meta?.err)),
  );
}

/** Outcomes of an attempt that counts as over without an NFT. */
export const OVER = ['expired', 'failed'] as const;

export type LateLanding =
  /** It is the mint's NFT: the next step reads its leaf. */
  | 'recorded'
  /** Another transaction had minted the receipt: this NFT is a second one. */
  | 'duplicate'
  /** Another transaction of the mint may still land: check again when it is settled. */
  | 'later'
  | 'lost_lease';

/** The nodes' reports about attempts that ended without an NFT. */
export type Told = {
  /** Final after all, and a second node knows it in the same block, if there is one. */
  landed: MintAttempt[];
  /** Only one node reports them as final, so nothing may rely on them or on their absence. */
  unwitnessed: MintAttempt[];
  /** Whether two nodes answered, or the only one. */
  isWhole: boolean;
};

/** Asks every node about attempts that ended without an NFT. Never throws for a node that does not answer. */
export async function landedAsTold(
  rpc: Pick<Rpc, 'nodes' | 'onNode'>,
  attempts: readonly MintAttempt[],
): Promise<Told> {
  if (attempts.length === 0) return { landed: [], unwitnessed: [], isWhole: true };
  const told = await statusesByNode(
    rpc,
    attempts.map(({ signature }) => signature),
  );
  const known = attempts.map((attempt, at) => ({
    attempt,
    statuses: told.map((node) => node?.[at] ?? null),
  }));
  const final = known.filter(({ statuses }) => statuses.some(isFinalLanding));
  const isLanded = ({ statuses }: (typeof known)[number]) => isWitnessed(statuses, rpc);
  return {
    landed: final.filter(isLanded).map(({ attempt }) => attempt),
    unwitnessed: final.filter((one) => !isLanded(one)).map(({ attempt }) => attempt),
    isWhole: areEnough(told, rpc),
  };
}

/** As {@link landedAsTold}; throws RpcUnavailable when none is found and fewer nodes than needed answer. */
export async function landedAfterAll(
  rpc: Pick<Rpc, 'nodes' | 'onNode'>,
  attempts: readonly MintAttempt[],
): Promise<Pick<Told, 'landed' | 'unwitnessed'>> {
  const { landed, unwitnessed, isWhole } = await landedAsTold(rpc, attempts);
  if (landed.length + unwitnessed.length === 0 && !isWhole)
    throw new RpcUnavailable('too few nodes report the status of earlier attempts');
  return { landed, unwitnessed };
}

/**
 * Records that an attempt which counted as expired or failed landed after all. Only the holder of the mint's lease may
 * do so, because another may be about to sign.
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
        where: { id: attempt.id, outcome: { in: [...OVER] } },
        data: { ...data, settledAt: now },
      });
    if (other?.outcome === null) return 'later';
    if (other) {
      await settle({ outcome: 'duplicate', error: `landed beside ${other.signature}` });
      return 'duplicate';
    }
    // A mint that was restored from the chain is completed without an attempt on record.
    const mint = await tx.mint.findUniqueOrThrow({ where: { id: attempt.mintId } });
    if (mint.status === 'completed' && mint.mintSignature !== attempt.signature) {
      const by = mint.mintSignature ?? 'another transaction';
      await settle({ outcome: 'duplicate', error: `landed beside ${by}` });
      return 'duplicate';
    }
    const moved = await writeFenced(
      { db: tx, id: attempt.mintId, fence },
      {
        status: 'pending',
        stage: 'landed',
        lastError: null,
        updatedAt: now,
        redriveAt: quietUntil(now),
        redrives: { increment: 1 },
      },
    );
    if (moved === 'done') await settle({ outcome: 'landed', error: null });
    return moved === 'done' ? 'recorded' : moved;
  });
}

/** Attempts that ended without an NFT and were settled since a time; a page after `after`, by id. */
export function expiredAttempts(
  db: Db,
  o: { since: Date; after: bigint; limit: number },
): Promise<MintAttempt[]> {
  return db.mintAttempt.findMany({
    where: { outcome: { in: [...OVER] }, settledAt: { gte: o.since }, id: { gt: o.after } },
    orderBy: { id: 'asc' },
    take: o.limit,
  });
}
