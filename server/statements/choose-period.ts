import { ServiceError } from '@/server/errors';

/** The instants of a scan: from the first to before the second. */
export type StatementPeriod = { from: Date; until: Date };

const SECOND_MS = 1_000;
/** Longest period, a leap year. */
const MOST_MS = 366 * 86_400_000;

/**
 * The period that a request means: its start is included and its end is not, but an end written with
 * second 59 includes that second, as people write years so. An end in the future is cut to now. Throws
 * 400 for one that is reversed, longer than 366 days or has not begun.
 */
export function choosePeriod(o: { start: string; end: string; now: Date }): StatementPeriod {
  const from = new Date(o.start);
  const written = new Date(o.end);
  const end = written.getUTCSeconds() === 59 ? nextSecond(written) : written;
  if (from >= end)
    throw refused('period_end', `the period is reversed or empty: from ${o.start} to ${o.end}`);
  const until = end > o.now ? o.now : end;
  if (from >= until)
    throw new ServiceError(
      'nothing_to_state',
      `The period from ${o.start} has not begun, so there is nothing to state.`,
    );
  if (until.getTime() - from.getTime() > MOST_MS)
    throw refused('period_start', `the period from ${o.start} to ${o.end} is longer than 366 days`);
  return { from, until };
}

/** The last instant that a period includes: blocks tell seconds, and an end is not included. */
export function lastInstant({ until }: StatementPeriod): Date {
  return new Date(until.getTime() - 1);
}

function nextSecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / SECOND_MS) * SECOND_MS + SECOND_MS);
}

function refused(field: string, fault: string): ServiceError {
  return new ServiceError('invalid_request', `Invalid request: ${field}: ${fault}`, {
    details: { [field]: fault },
  });
}
