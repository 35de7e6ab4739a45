import { Refusal } from '../storage/http';

const DAY_MS = 86_400_000;
/** Longer than any range that our clients ask for. */
const MOST_DAYS = 1_000;

/**
 * The UTC day that is `days` later, or earlier below zero. Throws a {@link Refusal} for an invalid
 * date.
 */
export function addDays(day: string, days: number): string {
  return toDay(timeOf(day) + days * DAY_MS);
}

/** The days from one to another, both included, at most a thousand. */
export function daysBetween(from: string | undefined, to: string | undefined): string[] {
  const [begin, end] = [timeOf(from), timeOf(to)];
  const count = Math.min(Math.floor((end - begin) / DAY_MS) + 1, MOST_DAYS);
  return Array.from({ length: Math.max(0, count) }, (_, i) => toDay(begin + i * DAY_MS));
}

function timeOf(day: string | undefined): number {
  const time = Date.parse(day ?? '');
  if (Number.isNaN(time)) throw new Refusal(422, 'invalid date');
  return time;
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
