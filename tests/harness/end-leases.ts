import type { TestService } from './start-service';

/**
 * Ends every lease, as the time would while the processes that held them stay dead. To be called between
 * a kill and the start after it, so that nobody alive loses one.
 */
export async function endLeases({ prisma }: TestService): Promise<void> {
  const leaseUntil = new Date();
  const held = { leaseUntil: { gt: leaseUntil } };
  await prisma.payment.updateMany({ where: held, data: { leaseUntil } });
  await prisma.reservation.updateMany({ where: held, data: { leaseUntil } });
  await prisma.$executeRaw`update runner.runs set lease_until = now() where lease_until > now()`;
}
