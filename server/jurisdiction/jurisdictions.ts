import { Prisma } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import type { Db } from '@/server/db/client';
import type { Location } from './locate-address';

/** The receipt that a payer's country belongs to. */
export type Subject = {
  receiptId: string;
  payer: string;
  seller: string;
  usdMicros: bigint;
  blockTime: Date;
};

type Sighting = { subject: Subject; location: Location; now: Date };

/**
 * Writes the country that the payer of a receipt called from, in the caller's transaction. The
 * caller has checked the payer's proof. A known country stays. Only an unknown one is filled in.
 */
export async function recordJurisdiction(tx: Db, o: Sighting): Promise<void> {
  const { receiptId, payer, seller, usdMicros, blockTime } = o.subject;
  const { country, method, databaseDate } = o.location;
  // Raw: an upsert of the client cannot leave an existing row unchanged.
  await tx.$executeRaw`
    insert into payer_jurisdictions
      (receipt_id, seller, payer, country, method, database_date, recorded_at, usd_micros, block_time)
    values (${receiptId}, ${seller}, ${payer}, ${country}, ${method}, ${databaseDate}::timestamptz::date,
            ${o.now}, ${usdMicros}, ${blockTime})
    on conflict (receipt_id) do update
      set country = excluded.country, method = excluded.method,
          database_date = excluded.database_date, recorded_at = excluded.recorded_at
      where payer_jurisdictions.country is null and excluded.country is not null`;
}

/**
 * Countries of payers by receipt, for the seller of these receipts alone: rows of other sellers are not
 * given, whatever ids are asked for. A receipt that is left out has no country on record.
 */
export async function countriesOfReceipts(
  db: Db,
  o: { seller: string; receiptIds: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await db.payerJurisdiction.findMany({
    where: { seller: o.seller, receiptId: { in: [...o.receiptIds] }, country: { not: null } },
    select: { receiptId: true, country: true },
  });
  return new Map(rows.flatMap(({ receiptId, country }) => (country ? [[receiptId, country]] : [])));
}

export type CountrySum = { country: string | null; count: number; usdMicros: bigint };

/**
 * A seller's receipts of a period by country of the payer, largest sum first. `among` selects ids of
 * receipts, else all count. Those without a country on record are not in it: see how many receipts there
 * are in all.
 */
export async function sumByCountry(
  db: Db,
  o: { seller: string; from: Date; until: Date; among?: Prisma.Sql | null },
): Promise<CountrySum[]> {
  const isAmong = o.among ? Prisma.sql`and receipt_id in (${o.among})` : Prisma.empty;
  // Released receipts are few and have an index of their own.
  const rows = await db.$queryRaw<{ country: string; count: bigint; usd: string }[]>`
    select country, count(*) as count, sum(usd_micros)::text as usd
      from payer_jurisdictions j
     where seller = ${o.seller} and block_time >= ${o.from} and block_time < ${o.until}
       and country is not null ${isAmong}
       and receipt_id not in (select id from receipts where released_at is not null)
     group by country order by sum(usd_micros) desc, country`;
  return rows.map(({ country, count, usd }) => ({
    country,
    count: Number(count),
    usdMicros: BigInt(usd),
  }));
}

/**
 * Deletes what is on record about where a wallet paid from, now instead of at the end of its time. Gives
 * the number of receipts it was on. The audit entry does not say what was deleted.
 */
export async function forgetWallet(
  tx: Db,
  o: { wallet: string; actor: string; now: Date },
): Promise<number> {
  const { count } = await tx.payerJurisdiction.deleteMany({ where: { payer: o.wallet } });
  await writeAudit(tx, {
    at: o.now,
    actor: o.actor,
    action: 'jurisdiction.forget',
    subject: o.wallet,
    detail: { receipts: count },
  });
  return count;
}

/** Deletes rows older than the given number of years; at most `limit` rows at once. */
export async function forgetOld(
  db: Db,
  o: { years: number; now: Date; limit: number },
): Promise<number> {
  const end = new Date(o.now);
  end.setUTCFullYear(end.getUTCFullYear() - o.years);
  return db.$executeRaw`
    delete from payer_jurisdictions where receipt_id in (
      select receipt_id from payer_jurisdictions where recorded_at <= ${end} limit ${o.limit})`;
}
