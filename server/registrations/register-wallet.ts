import type { Registration } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import type { Db } from '@/server/db/client';

export type RegistrationWish = {
  wallet: string;
  businessName: string;
  /** ISO 3166 code, as the seller says. */
  country: string;
  serviceType: string;
};

/**
 * Registers a wallet for automatic receipts from `slot` on, in the caller's transaction. A wallet that is
 * registered keeps its beginning and gets the new texts; one that had left begins anew.
 */
export async function registerWallet(
  tx: Db,
  o: RegistrationWish & { slot: bigint; now: Date },
): Promise<Registration> {
  const { wallet: walletAddress, businessName, country, serviceType, slot, now } = o;
  const known = await tx.registration.findUnique({ where: { walletAddress } });
  const isOpen = known !== null && known.unregisteredAt === null;
  const texts = { businessName, country, serviceType, updatedAt: now };
  const begun = { ...{ fromSlot: slot, registeredAt: now, unregisteredAt: null, lookedAt: null } };
  if (!isOpen) await tx.historyCursor.deleteMany({ where: { wallet: walletAddress } });
  await writeAudit(tx, {
    at: now,
    actor: walletAddress,
    action: isOpen ? 'registration.update' : 'registration.create',
    subject: walletAddress,
    detail: { from_slot: Number(isOpen ? known.fromSlot : slot) },
  });
  return tx.registration.upsert({
    where: { walletAddress },
    create: { walletAddress, ...texts, ...begun },
    update: isOpen ? texts : { ...texts, ...begun },
  });
}

/** Ends a registration: what comes in from now on gets no receipt by itself. Null when there is none. */
export async function unregisterWallet(
  tx: Db,
  o: { wallet: string; now: Date },
): Promise<Registration | null> {
  const known = await findRegistration(tx, o.wallet);
  if (!known) return null;
  await writeAudit(tx, {
    at: o.now,
    actor: o.wallet,
    action: 'registration.end',
    subject: o.wallet,
    detail: {},
  });
  return tx.registration.update({
    where: { walletAddress: o.wallet },
    data: { unregisteredAt: o.now, updatedAt: o.now },
  });
}

/** The open registration of a wallet, or null. */
export async function findRegistration(db: Db, wallet: string): Promise<Registration | null> {
  const known = await db.registration.findUnique({ where: { walletAddress: wallet } });
  return known?.unregisteredAt === null ? known : null;
}
