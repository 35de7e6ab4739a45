import { join } from 'node:path';
import { settings } from '@/devnet/settings';
import { stopNoted } from '@/devnet/stack-pids';
import { buildForStack } from './build-app';
import { ensureGenerated } from './ensure-generated';
import { ensureVerifier } from './ensure-verifier';
import { runService } from './run-service';
import type { Place } from './start-place';

/** NETWORK=local: the whole service on the embedded stack, built first when the sources changed. */
export function embedded(): Place {
  const { dataDir } = settings();
  return {
    start: async (o) => {
      if (o.mode === 'start') await buildForStack(o.say);
      else {
        ensureGenerated();
        ensureVerifier();
      }
      o.signal.throwIfAborted();
      return runService({ ...o, showOutput: o.mode === 'dev' });
    },
    // Before everything runs there are only notes of processes. Ending these makes the start fail.
    interrupt: async () => void (await stopNoted(join(dataDir, 'run'))),
    warning: 'LOCAL TEST CHAIN: these receipts are NOT real and nothing here has any value.',
  };
}
