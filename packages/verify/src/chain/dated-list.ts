import { z } from 'zod';

/**
 * The day from which every release of the service has a later entry of a list or table, as its first instant (UTC).
 * Releases before that day may have the entry or not, so that what was issued before is right both ways: choose a day
 * some weeks after the release.
 */
export const sinceDay = z.iso.date().transform((day) => new Date(`${day}T00:00:00Z`));

/** An address, with the day from which it counts where it came later than the list. */
const entry = z.union([
  z.string().transform((address): Dated => [address, null]),
  z.tuple([z.string(), sinceDay]).transform((pair): Dated => pair),
]);
type Dated = [address: string, since: Date | null];

/** A list of addresses that grows. */
export type DatedList = {
  /** Whether an address is listed; with a time, without those that came later. */
  has: (address: string, tableOf?: Date) => boolean;
  /** Days from which later entries count: of all of them, or of those among these addresses. */
  days: (among?: ReadonlySet<string>) => Date[];
  addresses: () => string[];
};

/** A list of its entries; throws a ZodError where one does not hold. */
export function readDatedList(entries: unknown): DatedList {
  const since = new Map(z.array(entry).parse(entries));
  return {
    has: (address, tableOf) => {
      const day = since.get(address);
      return day !== undefined && !isAfter(day, tableOf);
    },
    days: (among) =>
      [...since].flatMap(([address, day]) =>
        day !== null && (among?.has(address) ?? true) ? [day] : [],
      ),
    addresses: () => [...since.keys()],
  };
}

/** Whether an entry with this day (null: of the start) came later than a time; never later than today. */
export function isAfter(day: Date | null, tableOf: Date | undefined): boolean {
  return day !== null && tableOf !== undefined && tableOf < day;
}
