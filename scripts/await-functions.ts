import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const answer = z.object({ functions: z.number() });

/**
 * Returns when the embedded job runner knows the app's functions. Events before that are refused,
 * so a receipt would have to wait for the sweep. Throws after `timeoutMs`.
 */
export async function awaitFunctions(o: {
  runnerUrl: string;
  timeoutMs: number;
  signal?: AbortSignal;
}): Promise<void> {
  const deadline = Date.now() + o.timeoutMs;
  while ((await countFunctions(o.runnerUrl)) === 0) {
    o.signal?.throwIfAborted();
    if (Date.now() > deadline)
      throw new Error('The job runner does not receive the functions of the app.');
    await sleep(100);
  }
}

async function countFunctions(runnerUrl: string): Promise<number> {
  try {
    const response = await fetch(`${runnerUrl}/health`, { signal: AbortSignal.timeout(5_000) });
    return answer.parse(await response.json()).functions;
  } catch {
    return 0;
  }
}
