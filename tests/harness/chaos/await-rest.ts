import { setTimeout as sleep } from 'node:timers/promises';
import type { TestService } from '../to-test-service';
import { runCron } from '../use-dashboard';

const UNDER_WAY = ['claimed', 'sent', 'settled'];
const LOOK_MS = 500;
/** How often the sweeps are called where nobody waits for them. */
const HURRY_MS = 3_000;

/**
 * Returns when nothing is under way any more: every mint is over, its transaction seen final, and no payment
 * is in anybody's hands. `hurry` makes the sweeps look now, as if the minutes until they do had passed.
 * Throws with what is left after `patienceMs`.
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
      await hurry(service);
    }
    await sleep(LOOK_MS);
  }
}

async function hurry(service: TestService): Promise<void> {
  const { prisma } = service;
  const past = new Date(Date.now() - 120_000);
  await prisma.mint.updateMany({
    where: { stage: { not: 'closed' }, leaseOwner: null },
    data: { redriveAt: past },
  });
  await prisma.payment.updateMany({
    where: { state: { in: UNDER_WAY }, leaseUntil: { lt: new Date() } },
    data: { updatedAt: past },
  });
  for (const job of ['sweep-mints', 'sweep-payments']) await runCron(service, job);
}
