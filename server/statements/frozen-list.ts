import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { lastInstant, type StatementPeriod } from './choose-period';

/** Signatures that a scan left out, by reason. */
export type Skipped = Record<string, string[]>;

/** What a statement is going to list, and at what value: what its price was made from. */
export type StatementList = {
  mode: 'list' | 'scan';
  /** Null in list mode. */
  period: StatementPeriod | null;
  /** False when a scan could not search every account of the wallet. */
  complete: boolean;
  /** By slot and signature, oldest first. */
  rows: ListedValue[];
  skipped: Skipped;
};
export type ListedValue = { signature: string; usdMicros: bigint; valuation: string };

const instant = z.iso.datetime().transform((text) => new Date(text));
const skippedBy = z.record(z.string(), z.array(z.string()));
const frozen = z.object({
  digest: z.string(),
  mode: z.enum(['list', 'scan']),
  period: z.object({ from: instant, until: instant }).nullable(),
  complete: z.boolean(),
  rows: z.array(z.tuple([z.string(), z.string().regex(/^\d+$/), z.string()])),
  skipped: skippedBy,
});

/** A list as it is kept with its quote; JSON. */
export function freezeList(list: StatementList): z.input<typeof frozen> {
  const { mode, period, complete } = list;
  return {
    digest: digestOf(list),
    mode,
    complete,
    period: period && { from: period.from.toISOString(), until: period.until.toISOString() },
    rows: list.rows.map(({ signature, usdMicros, valuation }) => [
      signature,
      usdMicros.toString(),
      valuation,
    ]),
    skipped: list.skipped,
  };
}

/** The list of a quote. Throws ZodError for what is none. */
export function thawList(stored: unknown): StatementList {
  const { rows, mode, period, complete, skipped } = frozen.parse(stored);
  return {
    ...{ mode, period, complete, skipped },
    rows: rows.map(([signature, usdMicros, valuation]) => ({
      signature,
      usdMicros: BigInt(usdMicros),
      valuation,
    })),
  };
}

/** What a scan left out, as stored with its statement. Throws ZodError. */
export function parseSkipped(stored: unknown): Skipped {
  return skippedBy.parse(stored);
}

/**
 * Equal for lists that are the same to a buyer: the same rows at the same values for the same days. The
 * very instant at which an open period was cut is no difference, and neither is what was left out.
 */
function digestOf({ rows, period }: StatementList): string {
  const json = canonicalize({
    rows: rows.map(({ signature, usdMicros }) => [signature, usdMicros.toString()]),
    days: period && [period.from.toISOString(), lastInstant(period).toISOString().slice(0, 10)],
  });
  return createHash('sha256')
    .update(json ?? '')
    .digest('hex');
}
