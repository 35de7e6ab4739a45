import type { Db } from '@/server/db/client';
import { sumLegs } from './sum-legs';
import { sumRows, type DaySum } from './sum-rows';
import { sumStated } from './stated-payments';

/**
 * Sums of all that a wallet's dashboard lists by UTC day and token, oldest first: what its receipts are about,
 * their further legs, and payments that only a statement lists.
 */
export async function sumPayments(db: Db, o: Parameters<typeof sumLegs>[1]): Promise<DaySum[]> {
  const parts = await Promise.all([sumRows(db, o.filter), sumLegs(db, o), sumStated(db, o.filter)]);
  const sums = new Map<string, DaySum>();
  for (const one of parts.flat()) {
    const key = [one.day, one.mint ?? '', one.decimals, one.valuation].join('/');
    const sum = sums.get(key);
    if (sum) add(sum, one);
    else sums.set(key, one);
  }
  return [...sums.values()].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

function add(sum: DaySum, one: DaySum): void {
  sum.count += one.count;
  sum.rowCount += one.rowCount;
  sum.amountRaw += one.amountRaw;
  sum.usdMicros += one.usdMicros;
}
