import type { Db } from '@/server/db/client';

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
 * A seller's receipts of a period by country of the payer, largest sum first. Those without a country on
 * record are not in it: see how many receipts there are in all.
 */
export async function sumByCountry(
  db: Db,
  o: { seller: string; from: Date; until: Date },
): Promise<CountrySum[]> {
  // Released receipts are few and have an index of their own.
  const rows = await db.$queryRaw<{ country: string; count: bigint; usd: string }[]>`
    select country, count(*) as count, sum(usd_micros)::text as usd
      from payer_jurisdictions j
     where seller = ${o.seller} and block_time >= ${o.from} and block_time < ${o.until}
       and country is not null
       and receipt_id not in (select id from receipts where released_at is not null)
     group by country order by sum(usd_micros) desc, country`;
  return rows.map(({ country, count, usd }) => ({
    country,
    count: Number(count),
    usdMicros: BigInt(usd),
  }));
}
