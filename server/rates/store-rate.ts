import type { Rate } from '@/generated/prisma/client';
import { dayOf, startOf } from './day';
import { fractionOf, over, type Fraction } from '@quittance/verify/rates/fraction';
import type { RatesContext } from './rates-context';

/** A rate that holds for a day, as kept. */
export type StoredRate = {
  quote: string;
  day: string;
  /** US dollars for one unit of the quote, exact. */
  usdPerUnit: Fraction;
  publishedOn: string;
  source: string;
  isFinal: boolean;
  fetchedAt: Date;
};

/**
 * The rule that chose a kept rate's source: 1 asked the blended series and crossed two of its euro figures,
 * 2 asks the ECB first. A row of an older rule is as if it were not there, and is replaced.
 */
export const RATE_RULE = 2;

/** The rates kept for a currency on some days. */
export async function loadRates(
  db: RatesContext['db'],
  o: { quote: string; days: readonly string[] },
): Promise<Map<string, StoredRate>> {
  const rows = await db.rate.findMany({
    where: { quote: o.quote, day: { in: o.days.map(startOf) }, rule: RATE_RULE },
  });
  return new Map(rows.map((row) => [dayOf(row.day), toStored(row)]));
}

/**
 * Keeps a rate and gives back the one that holds: a final one that another process kept first is not
 * replaced, so that every reader has the same.
 */
export async function keepRate(
  db: RatesContext['db'],
  rate: Omit<Rate, 'day' | 'publishedOn' | 'rule'> & { day: string; publishedOn: string },
): Promise<StoredRate> {
  const { quote } = rate;
  const day = startOf(rate.day);
  const data = { ...rate, day, publishedOn: startOf(rate.publishedOn), rule: RATE_RULE };
  await db.rate.createMany({ data: [data], skipDuplicates: true });
  await db.rate.updateMany({
    where: {
      quote,
      day,
      OR: [{ rule: { lt: RATE_RULE } }, { final: false, fetchedAt: { lt: rate.fetchedAt } }],
    },
    data,
  });
  return toStored(await db.rate.findUniqueOrThrow({ where: { quote_day: { quote, day } } }));
}

function toStored(row: Rate): StoredRate {
  const [rate, usdRate] = [fractionOf(row.rate), fractionOf(row.usdRate)];
  if (!rate || !usdRate) throw new Error(`the rate of ${row.quote} on ${dayOf(row.day)} is none`);
  return {
    quote: row.quote,
    day: dayOf(row.day),
    usdPerUnit: over(usdRate, rate),
    publishedOn: dayOf(row.publishedOn),
    source: row.source,
    isFinal: row.final,
    fetchedAt: row.fetchedAt,
  };
}
