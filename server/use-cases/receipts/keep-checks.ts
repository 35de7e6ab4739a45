import type { CheckBody } from '../web-schemas';

/** Results are kept this long, so that many readers of one page cost one check. */
const KEPT_MS = 30_000;
const MOST_KEPT = 500;

/**
 * Makes the check of an id, or returns the running one or the result of the last 30 seconds. A result
 * that may change is not kept: pages repeat that check, and people press "Check again". `nowMs` is a
 * clock in ms.
 */
export function keepChecks(nowMs = () => performance.now()) {
  const kept = new Map<string, { atMs: number; body: Promise<CheckBody> }>();
  return function keep(id: string, make: () => Promise<CheckBody>): Promise<CheckBody> {
    const known = kept.get(id);
    if (known && nowMs() - known.atMs < KEPT_MS) return known.body;
    const body = make();
    const forget = () => {
      if (kept.get(id)?.body === body) kept.delete(id);
    };
    // Deleted first, so that it stands behind all older ones.
    kept.delete(id);
    kept.set(id, { atMs: nowMs(), body });
    body.then((checked) => {
      if (mayChange(checked)) forget();
    }, forget);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return body;
  };
}

/** A statement with too many payments to look up never gets another result. */
function mayChange({ verdict, partial }: CheckBody): boolean {
  return verdict === 'could not be checked' && partial === null;
}
