import { Prisma } from '@/generated/prisma/client';
import type { ServiceContext } from '@/server/context';
import type { Db } from '@/server/db/client';
import { UNPLACED } from './receipt-codec';

/** Proof of the right to write the receipt of a transaction until the lease ends. */
export type ReservedTransaction = { txSignature: string; holder: string; fence: bigint };

/** How long one request may take to draw, sign and write a receipt before another may take over. */
const LEASE_MS = 20_000;

/**
 * Reserves a transaction for 20 s (or `leaseMs`), or returns null while someone else holds it. The same
 * holder may take it again: a payment that was interrupted resumes where it was.
 */
export async function reserveTransaction(
  db: Db,
  input: { txSignature: string; holder: string; now: Date; leaseMs?: number },
): Promise<ReservedTransaction | null> {
  const { txSignature, holder, now } = input;
  const leaseUntil = new Date(now.getTime() + (input.leaseMs ?? LEASE_MS));
  const rows = await db.$queryRaw<{ fence: bigint }[]>(Prisma.sql`
    insert into reservations (tx_signature, holder, fence, lease_until)
    values (${txSignature}, ${holder}, 1, ${leaseUntil})
    on conflict (tx_signature) do update
      set holder = excluded.holder, fence = reservations.fence + 1, lease_until = excluded.lease_until
      where reservations.lease_until <= ${now} or reservations.holder = excluded.holder
    returning fence`);
  const row = rows[0];
  return row ? { txSignature, holder, fence: row.fence } : null;
}

/** Gives a reservation back. False when the lease had gone to someone else meanwhile. */
export async function releaseReservation(db: Db, held: ReservedTransaction): Promise<boolean> {
  const { txSignature, holder, fence } = held;
  const { count } = await db.reservation.deleteMany({ where: { txSignature, holder, fence } });
  return count === 1;
}

/**
 * Keeps a holder's reservation until `leaseUntil`, also when its lease ended and no other request
 * took it. Returns false when it is no longer the holder's.
 */
export async function prolongReservation(
  db: Db,
  holder: string,
  leaseUntil: Date,
): Promise<boolean> {
  const { count } = await db.reservation.updateMany({
    where: { holder, leaseUntil: { lt: leaseUntil } },
    data: { leaseUntil },
  });
  return count > 0 || (await db.reservation.count({ where: { holder } })) > 0;
}

/**
 * Keeps the reservations of all payments that were sent and have no outcome, until `leaseUntil`.
 * This includes reservations whose lease ended and that no other request took. One statement,
 * however many there are.
 */
export async function prolongReservationsOfSent(db: Db, leaseUntil: Date): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    update reservations set lease_until = ${leaseUntil}
    from payments
    where payments.id = reservations.holder and payments.state = 'sent'
      and reservations.lease_until < ${leaseUntil}`);
}

/** Releases everything that a holder has reserved. */
export async function releaseReservationsOf(db: Db, holder: string): Promise<void> {
  await db.reservation.deleteMany({ where: { holder } });
}

/**
 * Frees the transaction of a receipt that will never be minted because the transfer or its payment
 * vanished. The same signature may get a receipt again if it comes back.
 */
export async function releaseTransaction(db: Db, receiptId: string, now: Date): Promise<void> {
  await db.receipt.updateMany({
    where: { id: receiptId, releasedAt: null },
    data: { releasedAt: now },
  });
}

/** Blocks that one round asks for; the next round takes the rest. */
const MOST_BLOCKS = 20;

type Unplaced = { id: string; signature: string; slot: bigint };

/**
 * Reads from blocks the position of receipts for which a node before agave 4.0 did not return it.
 * Only receipts that share a slot with another receipt of one of their wallets need it. Returns how
 * many got a position. A block that no node returns is asked for again for two days. Throws
 * RpcUnavailable; safe to repeat.
 */
export async function placeReceipts({
  db,
  rpc,
}: Pick<ServiceContext, 'db'> & { rpc: Pick<ServiceContext['rpc'], 'getBlock'> }): Promise<number> {
  const unplaced = await listUnplaced(db);
  let placed = 0;
  for (const slot of new Set(unplaced.map((one) => one.slot))) {
    const block = await rpc.getBlock(slot);
    if (!block) continue;
    const places = unplaced.flatMap(({ id, signature, slot: own }) => {
      const at = own === slot ? block.signatures.indexOf(signature) : -1;
      return at < 0 ? [] : [{ id, block_index: at }];
    });
    placed += await db.$executeRaw`
      update receipts set block_index = p.block_index
        from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p (id text, block_index integer)
       where receipts.id = p.id and receipts.block_index = ${UNPLACED}`;
  }
  return placed;
}

/** Receipts without a position in slots where a new one of them meets another receipt of its wallets. */
function listUnplaced(db: ServiceContext['db']): Promise<Unplaced[]> {
  return db.$queryRaw<Unplaced[]>`
    with doubtful as (
      select distinct r.slot from receipts r
       where r.block_index = ${UNPLACED}::integer and r.released_at is null
         and r.created_at > now() - interval '2 days'
         and exists (
           select 1 from receipts o
            where o.slot = r.slot and o.id <> r.id and o.released_at is null
              and array[o.payer, o.seller] && array[r.payer, r.seller])
       limit ${MOST_BLOCKS})
    select r.id, r.tx_signature as signature, r.slot
      from receipts r join doubtful on doubtful.slot = r.slot
     where r.block_index = ${UNPLACED}::integer and r.released_at is null`;
}
