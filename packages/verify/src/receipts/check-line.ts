/**
 * The outcome of one check. `unknown`: a part that it relies on was missing or did not answer,
 * which says nothing for or against the checked fact.
 */
export const OUTCOMES = ['held', 'failed', 'unknown'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One check. `id` is stable; `title` states the checked fact; `detail` is what was seen. */
export type CheckLine = { id: string; title: string; outcome: Outcome; detail: string };

/** The outcome of several together: one that failed decides, then one that is unknown. */
export function worstOf(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('failed')) return 'failed';
  return outcomes.includes('unknown') ? 'unknown' : 'held';
}

/** The outcome of a comparison of which both sides were there. */
export function outcomeOf(isHeld: boolean): Outcome {
  return isHeld ? 'held' : 'failed';
}

/** A line that rests on something that is missing. */
export function notJudged(id: string, title: string, missing: string): CheckLine {
  return { id, title, outcome: 'unknown', detail: `not checked: ${missing}` };
}

/** The value, or null when evidence of another form makes it throw: forged input must fail its line only. */
export function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * Clocks of servers and of the chain differ by seconds; a file signed just before a key was replaced may
 * be minted a little later.
 */
export const SLACK_MS = 10 * 60 * 1000;

/** Whether the key or account was in use at an instant. A revoked key has no slack at its end. */
export function wasInUse(
  entry: { used_from: string; used_until: string | null; revoked_at?: string | null | undefined },
  at: Date,
): boolean {
  const isRevoked = (entry.revoked_at ?? null) !== null;
  const from = Date.parse(entry.used_from) - SLACK_MS;
  const until =
    entry.used_until === null
      ? Infinity
      : Date.parse(entry.used_until) + (isRevoked ? 0 : SLACK_MS);
  return from <= at.getTime() && at.getTime() <= until;
}
