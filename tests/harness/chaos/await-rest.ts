import { setTimeout as sleep } from 'node:timers/promises';
import type { TestService } from '../to-test-service';
import { hurrySweeps, UNDER_WAY } from '../hurry-sweeps';

const LOOK_MS = 500;
/** How often the sweeps run before the last customer waits for them. */
const HURRY_MS = 3_000;

/**
 * Returns when no work is open: every mint has ended with its transaction final, and no process
 * holds a payment. `hurry` makes the sweeps run at once instead of after some minutes. Throws with
 * the open work after `patienceMs`.
 */
export async function awaitRest(
  service: TestService,
  o: { patienceMs: number; hurry: boolean },
): Promise<void> {
  const { prisma } = service;
  const deadline = Date.now() + o.patienceMs;
  let hurried = Date.now();
  for (;;) {
    const mints = await prisma.mint.findMany({
      where: { status: { not: 'failed' }, stage: { not: 'closed' } },
      select: { id: true, status: true, stage: true, lastError: true },
    });
    const payments = await prisma.payment.findMany({
      where: { state: { in: UNDER_WAY } },
      select: { id: true, state: true, reason: true },
    });
    if (mints.length + payments.length === 0) return;
    if (Date.now() > deadline)
      throw new Error(
        `still under way: ${JSON.stringify([...mints, ...payments]).slice(0, 2_000)}`,
      );
    if (o.hurry && Date.now() - hurried > HURRY_MS) {
      hurried = Date.now();
      await hurrySweeps(service);
    }
    await sleep(LOOK_MS);
  }
}
