/** Where the time comes from: `serviceClock()` (server/service-clock.ts), or a fixed one in tests. */
export type Clock = { now(): Date };

/** This machine's own clock, for tests: the service follows the database's. */
export const systemClock: Clock = { now: () => new Date() };

/**
 * A clock that runs from the start of the process and never jumps. For waits inside this process;
 * its dates mean nothing outside it.
 */
export const elapsedClock: Clock = { now: () => new Date(performance.now()) };

const DAY_MS = 86_400_000;

/** The UTC date of an instant, YYYY-MM-DD. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** The day that is `days` later (or earlier, below zero). */
export function addDays(day: string, days: number): string {
  return dayOf(new Date(startOf(day).getTime() + days * DAY_MS));
}

/** The instant at which a UTC day begins. */
export function startOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}
