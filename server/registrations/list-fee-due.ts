import type { Db } from '@/server/db/client';

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
