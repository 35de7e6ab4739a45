import type { Db } from '@/server/db/client';

/** How many of a wallet's receipts, on either side, are not finished. */
export async function countUnfinished(
  db: Db,
  wallet: string,
): Promise<{ pending: number; failed: number }> {
  const rows = await db.$queryRaw<{ status: string; count: number }[]>`
    select m.status, count(*)::int as count
      from mints m join receipts r on r.id = m.id
     where m.status in ('pending', 'failed') and m.kind = 'receipt' and r.released_at is null
       and (r.seller = ${wallet} or r.payer = ${wallet})
     group by 1`;
  const of = (status: string) => rows.find((row) => row.status === status)?.count ?? 0;
  return { pending: of('pending'), failed: of('failed') };
}
