import { setTimeout as sleep } from 'node:timers/promises';
import { decodeWire } from '@quittance/verify/chain/decode-wire';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { type MintAttempt, Prisma, type PrismaClient } from '@/generated/prisma/client';
import { LANDING_WINDOW_BLOCKS } from '@/server/chain/landing-margin';
import type { Rpc } from '@/server/chain/rpc';
import { noteLongOpen, noteUndecided } from '@/server/chain/undecided-transactions';
import type { Clock } from '@/server/clock';
import { glanceAt, judgeAttempt, type Verdict } from './judge-attempt';
import { type Fenced, quietUntil, writeFenced } from './mint-rows';
import {
  describeError,
  MINT_LAMPORTS,
  MINTER_CANNOT_PAY,
  programErrorCode,
  TREE_FULL,
} from './offline-umi';
import { costOf } from './read-leaf';
import { type Counted, countRefusal } from './retry-mint';
import { sendMint } from './send-mint';
import { markTreeFull } from './trees';

export type SettleResult =
  | { state: 'landed'; slot: bigint }
  /** This transaction ended without an NFT; `status` says whether another may be signed. */
  | { state: 'failed' | 'expired'; error: string; status: 'pending' | 'failed' }
  /** Nothing is known yet: settle again. */
  | { state: 'in_flight' }
  /** Its blockhash has ended and the nodes cannot prove what became of it: nothing is signed again. */
  | { state: 'undecided'; reason: string }
  | { state: 'waiting'; reason: string }
  | { state: 'lost_lease' };

const POLL_MS = 400;
/** Nodes drop transactions that they cannot place. Sending the same bytes again is safe. */
const REBROADCAST_MS = 2_000;

/**
 * Finds the outcome of a signed transaction within about `budgetMs` and records it under the lease.
 * It sends the same bytes again every two seconds. Until the transaction certainly can no longer
 * land, the answer is `in_flight` and no other may be signed. A transaction that is open for over
 * an hour is recorded, so that the operator can close it.
 */
export async function settleMint(o: {
  db: PrismaClient;
  rpc: Rpc;
  attempt: MintAttempt;
  fence: bigint;
  budgetMs: number;
  clock: Clock;
}): Promise<SettleResult> {
  const settled = await settleInTime(o);
  if (settled.state !== 'in_flight' && settled.state !== 'waiting') return settled;
  const { signature, mintId: subject, createdAt: since } = o.attempt;
  const reason = settled.state === 'waiting' ? settled.reason : 'the nodes do not decide it';
  const noted = await noteLongOpen(o.db, {
    signature,
    kind: 'mint',
    subject,
    reason,
    since,
    now: o.clock.now(),
  });
  return noted === 'closed' ? write(o, { state: 'expired' }) : settled;
}

async function settleInTime(o: Parameters<typeof settleMint>[0]): Promise<SettleResult> {
  const start = performance.now();
  const end = start + o.budgetMs;
  let nextBroadcast = start + freshForMs(o.attempt, o.clock);
  const asked = { rpc: o.rpc, attempt: o.attempt, windowBlocks: LANDING_WINDOW_BLOCKS };
  try {
    for (;;) {
      const isDue = performance.now() >= nextBroadcast;
      const verdict = isDue ? await judgeAttempt(asked) : await glanceAt(asked);
      if (verdict.state === 'undecided') return await hold(o, verdict.reason);
      if (verdict.state !== 'in_flight') return await write(o, verdict);
      if (isDue) {
        await sendMint({ ...o, now: o.clock.now() });
        nextBroadcast = performance.now() + REBROADCAST_MS;
      }
      const leftMs = end - performance.now();
      if (leftMs <= 0) return { state: 'in_flight' };
      await sleep(Math.min(POLL_MS, leftMs));
    }
  } catch (error) {
    if (isNodeSilence(error)) return { state: 'waiting', reason: error.message };
    throw error;
  }
}

/** Records the attempt as undecided; one that the operator closed is over. */
async function hold(o: Owned, reason: string): Promise<SettleResult> {
  const { signature, mintId: subject } = o.attempt;
  const noted = await noteUndecided(o.db, { signature, kind: 'mint', subject, reason });
  return noted === 'closed' ? write(o, { state: 'expired' }) : { state: 'undecided', reason };
}

/** How long the first send still counts as fresh. */
function freshForMs(attempt: MintAttempt, clock: Clock): number {
  if (attempt.sentAt === null) return 0;
  return Math.max(0, REBROADCAST_MS - (clock.now().getTime() - attempt.sentAt.getTime()));
}

type Owned = { db: PrismaClient; rpc: Rpc; attempt: MintAttempt; fence: bigint; clock: Clock };

async function write(
  o: Owned,
  verdict: Exclude<Verdict, { state: 'in_flight' | 'undecided' }>,
): Promise<SettleResult> {
  const now = o.clock.now();
  if (verdict.state === 'landed') {
    const written = await markLanded({ ...o, now });
    return written === 'done' ? { state: 'landed', slot: verdict.slot } : { state: written };
  }
  const isFailure = verdict.state === 'failed';
  const error = isFailure
    ? `the mint transaction failed: ${describeError(verdict.err)}`
    : 'the mint transaction expired before it landed';
  const closed = await closeAttempt({
    ...o,
    now,
    isUnpaid: await couldNotPay(o),
    outcome: verdict.state,
    error,
    code: isFailure ? programErrorCode(verdict.err) : null,
    costLamports: isFailure ? await costOfFailed(o) : null,
  });
  return closed.status === 'lost_lease'
    ? { state: 'lost_lease' }
    : { state: verdict.state, error, status: closed.status };
}

/** Whether the key that signed has too little for a mint now. Unknown while no node answers: then it had enough. */
async function couldNotPay({ rpc, attempt }: Owned): Promise<boolean> {
  const payer = decodeWire(attempt.wire)?.staticKeys[0];
  if (payer === undefined) return false;
  try {
    return (await rpc.getBalance(payer)) < MINT_LAMPORTS;
  } catch (error) {
    if (isNodeSilence(error)) return false;
    throw error;
  }
}

/** Network fees of a final failure; null when no node has it. Only figures depend on it. */
async function costOfFailed({ rpc, attempt }: Owned): Promise<bigint | null> {
  try {
    const raw = await rpc.getTransaction(attempt.signature, 'finalized');
    return raw && costOf(raw);
  } catch (error) {
    if (isNodeSilence(error)) return null;
    throw error;
  }
}

type Closing = { db: PrismaClient; attempt: MintAttempt; fence: bigint; now: Date };

/** Writes that the signed transaction landed, in one statement. Safe to repeat. */
async function markLanded({ db, attempt, fence, now }: Closing): Promise<Fenced> {
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
 * Records that the signed transaction ended without an NFT, and counts it as an attempt. The mint
 * goes back to the step that signs. A full tree or a minter without money (`isUnpaid`, or noted
 * before the send) is not the mint's fault. The tree is taken out of use, and nothing is counted.
 */
function closeAttempt(
  o: Closing & {
    outcome: 'failed' | 'expired';
    error: string;
    code: number | null;
    isUnpaid: boolean;
    /** Cost of a failed one; null if unknown or nothing. */
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
