import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import type { Mint, MintAttempt } from '@/generated/prisma/client';
import type { ServiceContext } from '@/server/context';
import {
  claimMint,
  isAtLeast,
  type MintStage,
  noteWaiting,
  releaseMint,
} from '@/server/nft/mint-rows';
import type { LoadedItem } from '@/server/storage/stored-items';

/**
 * The result of a step for the function that runs it: small and serialisable, because the job
 * server stores it. `waiting`: nothing has failed, poll again after so many seconds. `again`: this
 * mint transaction ended without an NFT, sign another. `stop`: nothing is left to do.
 */
export type StepResult =
  | { state: 'done' }
  | { state: 'waiting'; seconds: number }
  | { state: 'again' }
  | { state: 'stop' };

export const done: StepResult = { state: 'done' };
export const again: StepResult = { state: 'again' };
export const stop: StepResult = { state: 'stop' };
export const waiting = (seconds: number): StepResult => ({ state: 'waiting', seconds });

/** Longest time that a run may keep a mint before another may take it. */
const LEASE_MS = 90_000;
/** Least lease time that a step needs. A shorter lease is renewed. */
const STEP_MS = 60_000;
const RETRY_S = 2;

export type StepInput = { service: ServiceContext; mintId: string; runId: string };
export type OwnedMint = HeldMint & { service: ServiceContext };

/**
 * Runs one step of a pending mint as its only owner. Skips it when its stage was reached before, stops
 * when the mint is over, waits when someone else owns it or when no node answers. After a step that is
 * done the run keeps the lease and the row for its next one.
 */
export async function withMint(
  input: StepInput,
  /** `skipAt`: the stage at which the step is skipped. `leavesAt`: the stage after the step. */
  stages: { skipAt: MintStage; leavesAt: MintStage },
  work: (owned: OwnedMint) => Promise<StepResult>,
): Promise<StepResult> {
  const { service, mintId, runId } = input;
  const { db, clock } = service;
  const owned = await own(input);
  if (!owned) return waiting(RETRY_S);
  const mine: OwnedMint = owned;
  let isKept = false;
  try {
    if (isAtLeast(mine.mint.stage, stages.skipAt)) return keep(done);
    if (mine.mint.status === 'failed') return stop;
    const result = await work(mine);
    if (result.state !== 'done') return result;
    mine.mint = { ...mine.mint, stage: stages.leavesAt };
    return keep(result);
  } catch (error) {
    if (!isNodeSilence(error)) throw error;
    const reason = 'waiting for the Solana nodes';
    await noteWaiting({ db, id: mintId, fence: mine.fence, reason, now: clock.now() });
    return waiting(RETRY_S);
  } finally {
    if (!isKept) await releaseMint({ db, id: mintId, fence: mine.fence });
  }

  function keep(result: StepResult): StepResult {
    isKept = stages.leavesAt !== 'closed';
    if (isKept) keepHeld(runId, mine, clock.now());
    return result;
  }
}

async function own({ service, mintId, runId }: StepInput): Promise<OwnedMint | null> {
  const now = service.clock.now();
  const kept = takeHeld(runId, mintId);
  if (kept && kept.until.getTime() - now.getTime() >= STEP_MS) return { ...kept, service };
  const owner = { owner: runId, leaseMs: LEASE_MS, now };
  const claimed = await claimMint({ db: service.db, id: mintId, ...owner });
  if (!claimed) return null;
  const until = new Date(now.getTime() + LEASE_MS);
  return { ...claimed, service, until, attempt: null, metadata: null };
}

/** A mint whose lease a run holds, in the state in which the run last left it. */
export type HeldMint = {
  mint: Mint;
  fence: bigint;
  /** Until when the lease lasts. */
  until: Date;
  /** The transaction that was signed or landed last, if a step of this run knows it. */
  attempt: MintAttempt | null;
  /** Its metadata as signed, where a step of this run loaded it with the image. */
  metadata: LoadedItem | null;
};

const held = new Map<string, HeldMint>();

/**
 * The mint that a run kept for its next step, or null. It may be out of date: every write shows the
 * fencing number, so a run that lost its lease changes nothing.
 */
function takeHeld(runId: string, mintId: string): HeldMint | null {
  const kept = held.get(runId);
  held.delete(runId);
  return kept?.mint.id === mintId ? kept : null;
}

/** Keeps a mint for the run's next step. A mint whose run continues elsewhere is dropped when its lease ends. */
function keepHeld(runId: string, kept: HeldMint, now: Date): void {
  for (const [id, other] of held) {
    if (other.until > now) break;
    held.delete(id);
  }
  held.set(runId, kept);
}
