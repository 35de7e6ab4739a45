/** Where the time comes from. Tests pass a fixed one; everything else uses {@link systemClock}. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
