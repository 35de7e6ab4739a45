import type { Db } from '@/server/db/client';

/** Puts transactions down to be looked at once; those that were noted before stay as they are. */
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

/** Longer than one look takes, with drawing a receipt. */
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

/** Forgets a transaction that no node knows: should it come again, it is noted again. */
export async function forgetNoted(db: Db, txSignature: string): Promise<void> {
  await db.autoTransfer.deleteMany({ where: { txSignature, state: 'noted' } });
}
