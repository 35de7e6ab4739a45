/** Where the time comes from. Tests pass a fixed one; everything else uses {@link systemClock}. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** Day of an instant in UTC, `YYYY-MM-DD`, whatever the zone of the machine. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
