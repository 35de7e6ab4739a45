import type { TestService } from './start-service';

/**
 * Ends every lease (in `inMs` milliseconds), as if the dead processes' leases had run out. Call it
 * between a kill and the start after it, so that no living process loses a lease.
 */
export async function endLeases({ prisma }: TestService, o: { inMs?: number } = {}): Promise<void> {
  const leaseUntil = new Date(Date.now() + (o.inMs ?? 0));
  const held = { leaseUntil: { gt: leaseUntil } };
  await prisma.payment.updateMany({ where: held, data: { leaseUntil } });
  await prisma.reservation.updateMany({ where: held, data: { leaseUntil } });
  await prisma.autoTransfer.updateMany({
    where: { state: 'noted', lookAt: { gt: leaseUntil } },
    data: { lookAt: leaseUntil },
  });
  await prisma.$executeRaw`update runner.runs set lease_until = now() where lease_until > now()`;
}
