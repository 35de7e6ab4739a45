import { setTimeout as sleep } from 'node:timers/promises';
import { setFaults } from '@/devnet/client/set-faults';
import { insist } from '../insist';
import type { Target } from './strike';

const GAP = { blindMs: 3_600_000, loseBlocksMs: 3_600_000, shortenBlocks: true };
const HEALED = { blindMs: 0, loseBlocksMs: 0, shortenBlocks: false };
/**
 * Longer than a blockhash lives plus the service's margins, so that everything sent seems expired.
 */
const PAST_USE = { advanceSlots: 400 };
/** How long the service then sees none of its transactions. */
const GAP_MS = 4_000;
/** Longest wait for a chain that was killed at the same time. */
const PATIENCE_MS = 60_000;

/**
 * Every node of the service answers `null` about sent transactions and calls their blocks skipped,
 * past every expiry.
 */
export function loseHistory(urls: readonly string[]): Target {
  const everywhere = async (faults: object) => {
    for (const url of urls)
      await insist(`the faults of ${url}`, PATIENCE_MS, async () => {
        await setFaults(url, faults);
        return true;
      });
  };
  return {
    kill: async () => {
      // If the same strike also kills the chain, its nodes lose their history when it is back.
      for (const url of urls) await setFaults(url, GAP).catch(() => undefined);
    },
    start: async () => {
      const [first = ''] = urls;
      await everywhere(GAP);
      await insist('slots to pass', PATIENCE_MS, async () => {
        await setFaults(first, PAST_USE);
        return true;
      });
      await sleep(GAP_MS);
      await everywhere(HEALED);
    },
  };
}
