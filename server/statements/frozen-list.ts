import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { invalidEntry, ServiceError } from '@/server/errors';
import { type BalanceChanges, packChanges, storedChanges, unpackChanges } from './balance-changes';

/** Signatures that a scan left out, by reason. */
export type Skipped = Record<string, string[]>;

/** The rows of a future statement and their values: the basis of its price. */
export type StatementList = {
  mode: 'list' | 'scan';
  /** Null in list mode. */
  period: StatementPeriod | null;
  /** Least value of a row of a scan; null in list mode, and for a list that was kept before this was. */
  minMicros: bigint | null;
  /** False when a scan could not search every account of the wallet. */
  complete: boolean;
  /** In the order of the chain, oldest first; within a transaction by leg. */
  rows: ListedValue[];
  skipped: Skipped;
  /**
   * The balance changes of the wallet that no row shows; null for a list from before legs were
   * listed.
   */
  changes: BalanceChanges | null;
};
export type ListedValue = {
  signature: string;
  /**
   * Number of the leg in the transaction; null in an older list, which had only the main one of
   * each.
   */
  leg: number | null;
  usdMicros: bigint;
  valuation: string;
};

const instant = z.iso.datetime().transform((text) => new Date(text));
const skippedBy = z.record(z.string(), z.array(z.string()));
const frozen = z.object({
  digest: z.string(),
  mode: z.enum(['list', 'scan']),
  period: z.object({ from: instant, until: instant }).nullable(),
  min_micros: z.string().regex(/^\d+$/).nullish(),
  complete: z.boolean(),
  rows: z.array(z.tuple([z.string(), z.string().regex(/^\d+$/), z.string()])),
  /** One for each of `rows`; an older list has none. */
  legs: z.array(z.number().int().nonnegative().nullable()).optional(),
  skipped: skippedBy,
  changes: storedChanges.nullish(),
});

/** A list in the JSON form that is stored with its quote. */
export function freezeList(list: StatementList): z.input<typeof frozen> {
  const { mode, period, complete } = list;
  return {
    digest: digestOf(list),
    mode,
    complete,
    period: period && { from: period.from.toISOString(), until: period.until.toISOString() },
    min_micros: list.minMicros?.toString() ?? null,
    rows: list.rows.map(({ signature, usdMicros, valuation }) => [
      signature,
      usdMicros.toString(),
      valuation,
    ]),
    legs: list.rows.map(({ leg }) => leg),
    skipped: list.skipped,
    changes: list.changes && packChanges(list.changes),
  };
}

/** The list of a quote. Throws ZodError for what is none. */
export function thawList(stored: unknown): StatementList {
  const { rows, legs, mode, period, complete, skipped, changes, min_micros } = frozen.parse(stored);
  return {
    mode,
    period,
    minMicros: min_micros == null ? null : BigInt(min_micros),
    complete,
    skipped,
    changes: changes ? unpackChanges(changes) : null,
    rows: rows.map(([signature, usdMicros, valuation], at) => ({
      signature,
      leg: legs?.[at] ?? null,
      usdMicros: BigInt(usdMicros),
      valuation,
    })),
  };
}

/** The transactions that a scan left out, as stored with its statement. Throws ZodError. */
export function parseSkipped(stored: unknown): Skipped {
  return skippedBy.parse(stored);
}

/** Transactions of a list, each once: what its price goes by. */
export function countTransactions(rows: readonly { signature: string }[]): number {
  return new Set(rows.map(({ signature }) => signature)).size;
}

/**
 * Equal for lists that are the same to a buyer: the same rows at the same values for the same days. The
 * exact instant at which an open period was cut makes no difference, and neither does what was left out.
 */
function digestOf({ rows, period }: StatementList): string {
  const json = canonicalize({
    rows: rows.map(({ signature, leg, usdMicros }) => [signature, leg, usdMicros.toString()]),
    days: period && [period.from.toISOString(), lastInstant(period).toISOString().slice(0, 10)],
  });
  return createHash('sha256')
    .update(json ?? '')
    .digest('hex');
}

/** The instants of a scan: from the first to before the second. */
export type StatementPeriod = { from: Date; until: Date };

const SECOND_MS = 1_000;
/** Longest period, a leap year. */
const MOST_MS = 366 * 86_400_000;

/**
 * The period of a request. Its start is included and its end is not. An end written with second 59
 * includes that second, because people write years so. An end in the future is cut to now. Throws
 * 400 for a period that is reversed, longer than 366 days or has not begun.
 */
export function choosePeriod(o: { start: string; end: string; now: Date }): StatementPeriod {
  const from = new Date(o.start);
  const written = new Date(o.end);
  const end = written.getUTCSeconds() === 59 ? nextSecond(written) : written;
  if (from >= end)
    throw invalidEntry(
      'period_end',
      `the period is reversed or empty: from ${o.start} to ${o.end}`,
    );
  const until = end > o.now ? o.now : end;
  if (from >= until)
    throw new ServiceError(
      'nothing_to_state',
      `The period from ${o.start} has not begun, so there is nothing to list.`,
    );
  if (until.getTime() - from.getTime() > MOST_MS)
    throw invalidEntry(
      'period_start',
      `the period from ${o.start} to ${o.end} is longer than 366 days`,
    );
  return { from, until };
}

/** The last instant that a period includes: blocks have seconds, and an end is not included. */
export function lastInstant({ until }: StatementPeriod): Date {
  return new Date(until.getTime() - 1);
}

function nextSecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / SECOND_MS) * SECOND_MS + SECOND_MS);
}
