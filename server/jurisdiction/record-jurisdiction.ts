import { Prisma } from '@/generated/prisma/client';
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
 * Writes where the payer of a receipt called from, in the caller's transaction. The caller has seen the
 * payer's proof. What is known stays; only a country that is not known yet is filled in.
 */
export async function recordJurisdiction(tx: Db, o: Sighting): Promise<void> {
  await tx.$executeRaw(jurisdictionToRecord(o));
}

/** {@link recordJurisdiction} as SQL that can stand inside a larger statement. */
export function jurisdictionToRecord(o: Sighting): Prisma.Sql {
  const { receiptId, payer, seller, usdMicros, blockTime } = o.subject;
  const { country, method, databaseDate } = o.location;
  return Prisma.sql`
    insert into payer_jurisdictions
      (receipt_id, seller, payer, country, method, database_date, recorded_at, usd_micros, block_time)
    values (${receiptId}, ${seller}, ${payer}, ${country}, ${method}, ${databaseDate}::timestamptz::date,
            ${o.now}, ${usdMicros}, ${blockTime})
    on conflict (receipt_id) do update
      set country = excluded.country, method = excluded.method,
          database_date = excluded.database_date, recorded_at = excluded.recorded_at
      where payer_jurisdictions.country is null and excluded.country is not null`;
}
