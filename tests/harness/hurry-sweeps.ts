import type { PaymentState } from '@/generated/prisma/client';
import type { TestService } from './to-test-service';
import { runCron } from './use-dashboard';

/** States of a payment that a process holds. */
export const UNDER_WAY: PaymentState[] = ['claimed', 'sent', 'settled'];

/**
 * Makes the sweeps run now on work that no process holds: mints whose event died with a process,
 * and payments whose lease has ended.
 */
export async function hurrySweeps(service: TestService): Promise<void> {
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
