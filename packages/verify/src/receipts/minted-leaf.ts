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

/** The leaf that a mint transaction wrote for an asset; null without one. */
export function findLeaf({
  mintTransaction,
  asset,
}: Pick<MintEvidence, 'mintTransaction' | 'asset'>): LeafEvent | null {
  const leaves = attempt(() => decodeLeafEvents(mintTransaction)) ?? [];
  return leaves.find(({ assetId }) => assetId === asset.id) ?? null;
}
