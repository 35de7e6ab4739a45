import type { Mint, MintAttempt } from '@/generated/prisma/client';
import type { LoadedItem } from '@/server/storage/load-item';

/** A mint whose lease one run has, as the run last left it. */
export type HeldMint = {
  mint: Mint;
  fence: bigint;
  /** Until when the lease lasts. */
  until: Date;
  /** The transaction that was signed or landed last, where a step of this run knows it. */
  attempt: MintAttempt | null;
  /** Its metadata as signed, where a step of this run loaded it with the picture. */
  metadata: LoadedItem | null;
};

const held = new Map<string, HeldMint>();

/**
 * The mint that a run kept, to go on with in its next step, or null. What it says may be out of date:
 * every write shows the fencing number, so that a run which lost its lease changes nothing.
 */
export function takeHeld(runId: string, mintId: string): HeldMint | null {
  const kept = held.get(runId);
  held.delete(runId);
  return kept?.mint.id === mintId ? kept : null;
}

/** Keeps a mint for the run's next step. Those whose run went on elsewhere are forgotten when they end. */
export function keepHeld(runId: string, kept: HeldMint, now: Date): void {
  for (const [id, other] of held) {
    if (other.until > now) break;
    held.delete(id);
  }
  held.set(runId, kept);
}
