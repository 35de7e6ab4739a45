import { z } from 'zod';
import { decodeLeafEvents, type LeafEvent } from '../nft/leaf';
import type { MintEvidence } from './check-evidence';
import { attempt } from './check-line';

const timed = z.object({ blockTime: z.number().int() });

/** The time of the block of a mint; null without one. */
export function mintTime({ mintTransaction }: Pick<MintEvidence, 'mintTransaction'>): Date | null {
  const parsed = timed.safeParse(mintTransaction);
  return parsed.success ? new Date(parsed.data.blockTime * 1000) : null;
}

/**
 * How long a file may wait for its mint: storage or chain may be down for hours. It cannot be
 * decided whether a file waited longer or was made later.
 */
const WAITING_MS = 24 * 60 * 60 * 1000;

/** The time of a mint less the longest wait of a file, and not before its time of issue. */
export function earliestIssue(mintedAt: Date, issuedAt: Date): Date {
  return new Date(Math.max(mintedAt.getTime() - WAITING_MS, issuedAt.getTime()));
}

/** The leaf that a mint transaction wrote for an asset; null without one. */
export function findLeaf({
  mintTransaction,
  asset,
}: Pick<MintEvidence, 'mintTransaction' | 'asset'>): LeafEvent | null {
  const leaves = attempt(() => decodeLeafEvents(mintTransaction)) ?? [];
  return leaves.find(({ assetId }) => assetId === asset.id) ?? null;
}
