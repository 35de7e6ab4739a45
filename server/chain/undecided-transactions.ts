import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

/**
 * The subject of an undecided transaction: a mint, a payment, or the receipt of a transfer or of a
 * paid fee.
 */
export const UNDECIDED_KINDS = ['mint', 'payment', 'transfer', 'fee_payment'] as const;
export type UndecidedKind = (typeof UNDECIDED_KINDS)[number];

export type Undecided = {
  signature: string;
  kind: UndecidedKind;
  /** Mint or payment that waits for it. */
  subject: string;
  reason: string;
};

/**
 * Records that no node can prove whether a transaction landed, so that it is counted and an alert
 * rings. `closed`: the operator has checked it and closed it on record, so that it counts as never
 * landed. Safe to repeat; the first time stays.
 */
export async function noteUndecided(db: Db, one: Undecided): Promise<'undecided' | 'closed'> {
  const { signature, kind, subject, reason } = one;
  const [row] = await db.$queryRaw<{ isClosed: boolean }[]>(Prisma.sql`
    insert into undecided_transactions as noted (signature, kind, subject, reason)
    values (${signature}, ${kind}, ${subject}, ${reason})
    on conflict (signature) do update
      set reason = excluded.reason, seen_at = now(), kind = excluded.kind, subject = excluded.subject
    returning closed_at is not null as "isClosed"`);
  return row?.isClosed ? 'closed' : 'undecided';
}

/** How long a transaction may stay open before somebody must know: its blockhash lives for a minute or two. */
const LONG_OPEN_MS = 3_600_000;

/**
 * Records a transaction that is still open an hour after `since`, for whatever reason: the nodes
 * may stand still, contradict each other or be silent. `now` is the database's time.
 */
export async function noteLongOpen(
  db: Db,
  { since, now, ...one }: Undecided & { since: Date; now: Date },
): Promise<'young' | 'undecided' | 'closed'> {
  if (now.getTime() - since.getTime() <= LONG_OPEN_MS) return 'young';
  return noteUndecided(db, { ...one, reason: `open for over an hour: ${one.reason}` });
}

/**
 * Closes an undecided transaction on the operator's word, with what the operator checked. False when it is not on
 * record or was closed before.
 */
export async function closeUndecided(
  db: Db,
  o: { signature: string; note: string },
): Promise<boolean> {
  const count = await db.$executeRaw(Prisma.sql`
    update undecided_transactions set closed_at = now(), closed_note = ${o.note}
    where signature = ${o.signature} and closed_at is null`);
  return count === 1;
}
