import { z } from 'zod';

/**
 * The day from which every release of the service has a later entry of a list or table, as its
 * first instant (UTC). Releases before that day may have the entry or not, so documents from before
 * are right both ways. Choose a day some weeks after the release.
 */
export const sinceDay = z.iso.date().transform((day) => new Date(`${day}T00:00:00Z`));

/** An address, with the day from which it counts where it came later than the list. */
const entry = z.union([
  z.string().transform((address): Dated => [address, null]),
  z.tuple([z.string(), sinceDay]).transform((pair): Dated => pair),
]);
type Dated = [address: string, since: Date | null];

/** `since`: the day of the first release with the list. No document is older. Entries without a day are of that day. */
const list = z
  .object({ since: sinceDay, entries: z.array(entry) })
  .refine(({ since, entries }) => entries.every(([, day]) => day === null || day > since), {
    message: 'an entry must be later than the list',
  })
  .refine(({ entries }) => new Set(entries.map(([address]) => address)).size === entries.length, {
    message: 'an address may be in the list only once',
  });

/** A list of addresses that grows. */
export type DatedList = {
  /** The day from which it is in use. Earlier times are judged by the entries of that day. */
  since: Date;
  /** Whether an address is listed; with a time, without those that came later. */
  has: (address: string, tableOf?: Date) => boolean;
  /** Days from which later entries count: of all of them, or of those among these addresses. */
  days: (among?: ReadonlySet<string>) => Date[];
  addresses: () => string[];
};

/** A list of its day and its entries; throws a ZodError where one does not hold. */
export function readDatedList(o: z.input<typeof list>): DatedList {
  const { since, entries } = list.parse(o);
  const dayOf = new Map(entries);
  return {
    since,
    has: (address, tableOf) => {
      const day = dayOf.get(address);
      return day !== undefined && !isAfter(day, tableOf);
    },
    days: (among) =>
      [...dayOf].flatMap(([address, day]) =>
        day !== null && (among?.has(address) ?? true) ? [day] : [],
      ),
    addresses: () => [...dayOf.keys()],
  };
}

/** Whether an entry with this day (null: of the start) came later than a time; never later than today. */
export function isAfter(day: Date | null, tableOf: Date | undefined): boolean {
  return day !== null && tableOf !== undefined && tableOf < day;
}
