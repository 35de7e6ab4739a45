import type { Mint } from '@/generated/prisma/client';
import { RpcUnavailable } from '@/server/chain/rpc-errors';
import type { ServiceContext } from '@/server/context';
import { claimMint } from '@/server/nft/claim-mint';
import { releaseMint } from '@/server/nft/release-mint';
import { noteWaiting } from '@/server/nft/note-waiting';
import { isAtLeast, type MintStage } from '@/server/nft/mint-state';
import { waiting, done, stop, type StepResult } from './step-result';

/** Longest a step may work on a mint before another worker may take it. */
const LEASE_MS = 60_000;
const RETRY_S = 2;

export type StepInput = { service: ServiceContext; mintId: string; runId: string };
export type OwnedMint = { service: ServiceContext; mint: Mint; fence: bigint };

/**
 * Runs one step of a pending mint as its only owner. Skips it when its stage was reached before, stops
 * when the mint is over, waits when someone else owns it or when no node answers.
 */
export async function withMint(
  { service, mintId, runId }: StepInput,
  reaches: MintStage,
  work: (owned: OwnedMint) => Promise<StepResult>,
): Promise<StepResult> {
  const { db, clock } = service;
  const claimed = await claimMint({
    db,
    id: mintId,
    owner: runId,
    leaseMs: LEASE_MS,
    now: clock.now(),
  });
  if (!claimed) return waiting(RETRY_S);
  const { mint, fence } = claimed;
  try {
    if (isAtLeast(mint.stage, reaches)) return done;
    if (mint.status === 'failed') return stop;
    return await work({ service, mint, fence });
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    await noteWaiting({
      db,
      id: mintId,
      fence,
      reason: 'waiting for the Solana nodes',
      now: clock.now(),
    });
    return waiting(RETRY_S);
  } finally {
    await releaseMint({ db, id: mintId, fence });
  }
}
