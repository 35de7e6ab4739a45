/** Where the time comes from: `serviceClock()` (server/service-clock.ts), or a fixed one in tests. */
export type Clock = { now(): Date };

/** This machine's own clock, for tests: the service follows the database's. */
export const systemClock: Clock = { now: () => new Date() };

/**
 * Counts on from the start of the process and never steps. For waits that nobody else shares; its dates mean
 * nothing outside this process.
 */
export const elapsedClock: Clock = { now: () => new Date(performance.now()) };
