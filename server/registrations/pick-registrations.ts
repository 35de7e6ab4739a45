import type { Registration } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

/** Open registrations, those that were not looked at for longest first; each is marked as looked at. */
export async function pickRegistrations(
  db: Db,
  o: { now: Date; limit: number },
): Promise<Pick<Registration, 'walletAddress' | 'fromSlot'>[]> {
  return db.$queryRaw`
    update registrations set looked_at = ${o.now}
     where wallet_address in (
       select wallet_address from registrations
        where auto_receipts and unregistered_at is null
        order by looked_at nulls first limit ${o.limit} for update skip locked)
    returning wallet_address as "walletAddress", from_slot as "fromSlot"`;
}
