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
