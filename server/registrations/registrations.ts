import type { Registration } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import type { Db } from '@/server/db/client';
import type { Hiding } from '@/server/receipts/hide-labels';
import type { ValuedTransfer } from '@/server/receipts/value-transfer';

export type RegistrationWish = {
  wallet: string;
  businessName: string;
  /** ISO 3166 code that the seller gave. */
  country: string;
  serviceType: string;
};

/**
 * Registers a wallet for automatic receipts from `slot` on, in the caller's transaction. A wallet that is
 * registered keeps its beginning and gets the new texts; one that had left starts again.
 */
export async function registerWallet(
  tx: Db,
  o: RegistrationWish & { slot: bigint; now: Date },
): Promise<Registration> {
  const { wallet: walletAddress, businessName, country, serviceType, slot, now } = o;
  const known = await tx.registration.findUnique({ where: { walletAddress } });
  const isOpen = known !== null && known.unregisteredAt === null;
  const texts = { businessName, country, serviceType, updatedAt: now };
  const begun = { fromSlot: slot, registeredAt: now, unregisteredAt: null, lookedAt: null };
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

/** Ends a registration: new payments get no automatic receipt. Null when there is none. */
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

/**
 * Hides the business name of a wallet, or shows it again, with its audit row in the caller's transaction. A name
 * that the seller gives later stays hidden as well. False when the wallet was never registered.
 */
export async function setNameHidden(
  tx: Db,
  { wallet, hidden, reason, actor, now }: Hiding & { wallet: string },
): Promise<boolean> {
  const { count } = await tx.registration.updateMany({
    where: { walletAddress: wallet },
    data: { nameHiddenAt: hidden ? now : null },
  });
  if (count === 0) return false;
  await writeAudit(tx, {
    at: now,
    actor,
    action: hidden ? 'name.hide' : 'name.show',
    subject: wallet,
    detail: { reason },
  });
  return true;
}

/** The open registration of a wallet, or null. */
export async function findRegistration(db: Db, wallet: string): Promise<Registration | null> {
  const known = await db.registration.findUnique({ where: { walletAddress: wallet } });
  return known?.unregisteredAt === null ? known : null;
}

/** Open registrations, those that were not scanned for longest first; each is marked as scanned. */
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

/** Notes transactions that are to be handled once. Earlier notes do not change. */
export async function noteTransactions(
  db: Db,
  o: { signatures: readonly string[]; now: Date },
): Promise<number> {
  if (o.signatures.length === 0) return 0;
  return db.$executeRaw`
    insert into auto_transfers (tx_signature, state, look_at, created_at, updated_at)
    select distinct signature, 'noted', ${o.now}::timestamptz, ${o.now}::timestamptz, ${o.now}::timestamptz
      from unnest(${[...o.signatures]}::text[]) signature
    on conflict (tx_signature) do nothing`;
}

/** Longer than handling one takes, with drawing a receipt. */
const LOOK_LEASE_S = 20;

/** Takes noted transactions that are due, oldest first, so that no other process does for 20 s. */
export async function takeNoted(
  db: Db,
  o: { now: Date; limit: number },
): Promise<{ txSignature: string; looks: number; createdAt: Date }[]> {
  const until = new Date(o.now.getTime() + LOOK_LEASE_S * 1000);
  return db.$queryRaw`
    update auto_transfers set looks = looks + 1, look_at = ${until}
     where tx_signature in (
       select tx_signature from auto_transfers
        where state = 'noted' and look_at <= ${o.now}
        order by look_at limit ${o.limit} for update skip locked)
    returning tx_signature as "txSignature", looks, created_at as "createdAt"`;
}

/** Puts a noted transaction off, with what it waits for. */
export async function putOff(
  db: Db,
  o: { txSignature: string; reason: string; until: Date },
): Promise<void> {
  await db.autoTransfer.updateMany({
    where: { txSignature: o.txSignature, state: 'noted' },
    data: { reason: o.reason, lookAt: o.until },
  });
}

/** Forgets a transaction that no node knows. If it comes again, it is noted again. */
export async function forgetNoted(db: Db, txSignature: string): Promise<void> {
  await db.autoTransfer.deleteMany({ where: { txSignature, state: 'noted' } });
}

/** A final transaction that gets no automatic receipt, and why. */
export async function skipTransfer(
  db: Db,
  o: { txSignature: string; reason: string; now: Date },
): Promise<void> {
  await db.autoTransfer.updateMany({
    where: { txSignature: o.txSignature, state: 'noted' },
    data: { state: 'skipped', reason: o.reason, updatedAt: o.now },
  });
}

/** A transfer that a fee is due for: its seller sees it and may have its receipt made. */
export async function markFeeDue(db: Db, o: { valued: ValuedTransfer; now: Date }): Promise<void> {
  const { transfer } = o.valued;
  await db.autoTransfer.updateMany({
    where: { txSignature: transfer.signature, state: 'noted' },
    data: { ...factsOf(o.valued), state: 'fee_due', reason: null, updatedAt: o.now },
  });
}

/**
 * A transfer that has its receipt, in the transaction that writes it. False when it is no longer in
 * `from`: somebody else was faster, and the caller rolls back.
 */
export async function markReceipted(
  tx: Db,
  o: {
    valued: ValuedTransfer;
    receiptId: string;
    from: 'noted' | 'fee_due';
    isWaived: boolean;
    now: Date;
  },
): Promise<boolean> {
  const { valued, receiptId, isWaived: waived, now } = o;
  const { count } = await tx.autoTransfer.updateMany({
    where: { txSignature: valued.transfer.signature, state: o.from },
    data: {
      ...factsOf(valued),
      state: 'receipted',
      reason: null,
      receiptId,
      waived,
      updatedAt: now,
    },
  });
  return count === 1;
}

function factsOf({ transfer, token, usdMicros }: ValuedTransfer) {
  const { seller, payer, mint, decimals, amount: amountRaw, slot, blockTime } = transfer;
  return {
    seller,
    payer,
    mint,
    token: token.symbol,
    decimals,
    amountRaw,
    usdMicros,
    slot,
    blockTime,
  };
}

/** A transfer to a registered wallet that waits for its fee. */
export type FeeDue = {
  txSignature: string;
  payer: string;
  token: string;
  decimals: number;
  amountRaw: bigint;
  usdMicros: bigint;
  blockTime: Date;
};

/** Transfers of a seller that a fee is due for and that have no receipt yet, newest first. */
export async function listFeeDue(
  db: Db,
  o: { seller: string; limit: number },
): Promise<{ count: number; items: FeeDue[] }> {
  const items = await db.$queryRaw<(FeeDue & { count: bigint })[]>`
    select tx_signature as "txSignature", payer, token, decimals, amount_raw as "amountRaw",
           usd_micros as "usdMicros", block_time as "blockTime", count(*) over () as count
      from auto_transfers due
     where seller = ${o.seller} and state = 'fee_due'
       and not exists (select 1 from receipts r
                        where r.tx_signature = due.tx_signature and r.released_at is null)
     order by block_time desc, tx_signature limit ${o.limit}`;
  return { count: Number(items[0]?.count ?? 0), items };
}

/** The largest transfers that wait for a fee, of all wallets that are registered. */
export async function largestFeeDue(db: Db, limit: number): Promise<{ txSignature: string }[]> {
  return db.$queryRaw`
    select tx_signature as "txSignature" from auto_transfers due
     where state = 'fee_due'
       and exists (select 1 from registrations r
                    where r.wallet_address = due.seller and r.unregistered_at is null)
       and not exists (select 1 from receipts r
                        where r.tx_signature = due.tx_signature and r.released_at is null)
     order by usd_micros desc, tx_signature limit ${limit}`;
}

/** Fees of automatic receipts that were waived since an instant. */
export async function countWaived(db: Db, since: Date): Promise<number> {
  return db.autoTransfer.count({ where: { waived: true, updatedAt: { gte: since } } });
}

/** Deletes what was skipped long ago: cursors are past it by then. */
export async function deleteSkipped(db: Db, before: Date): Promise<void> {
  await db.autoTransfer.deleteMany({ where: { state: 'skipped', updatedAt: { lt: before } } });
}
