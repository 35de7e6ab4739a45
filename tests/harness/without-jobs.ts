import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestService } from './to-test-service';

/** Longer than the job server takes for a claim. */
const TICK_MS = 500;

/**
 * Does some work while the job server calls no job, so that no job of another test, and none of a
 * schedule, asks a node meanwhile. Calls under way end first.
 */
export async function withoutJobs<T>(service: TestService, work: () => Promise<T>): Promise<T> {
  await service.fault('runner', { paused: true });
  try {
    const leased = async (): Promise<unknown> => {
      const queue: unknown = await (await fetch(`${service.runnerUrl}/_queue`)).json();
      return queue;
    };
    await expect.poll(leased).toMatchObject({ leased: 0 });
    // A claim that had begun before the pause counts only once it is written.
    await sleep(TICK_MS);
    await expect.poll(leased).toMatchObject({ leased: 0 });
    return await work();
  } finally {
    await service.fault('runner', null);
  }
}
