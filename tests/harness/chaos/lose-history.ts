import { setTimeout as sleep } from 'node:timers/promises';
import { setFaults } from '@/devnet/client/set-faults';
import { insist } from '../insist';
import type { Target } from './strike';

const GAP = { blindMs: 3_600_000, loseBlocksMs: 3_600_000, shortenBlocks: true };
const HEALED = { blindMs: 0, loseBlocksMs: 0, shortenBlocks: false };
/** Past the life of a blockhash and the margins that the service keeps, so that all that was sent seems expired. */
const PAST_USE = { advanceSlots: 400 };
/** How long the service then sees nothing of what it sent. */
const GAP_MS = 4_000;
/** Longest until a chain that was killed as well is back. */
const PATIENCE_MS = 60_000;

/** Every node of the service answers `null` about what was sent and calls its blocks skipped, past all expiry. */
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
      // A chain that is killed by the same blow is away: its nodes lose their history when it is back.
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
