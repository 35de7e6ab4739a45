import type { Underway } from '../create/pay-quote';

const KEY = 'quittance-statement';

/** Keeps the payment of a statement in this browser until the statement exists. */
export function saveUnderway(underway: Underway): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(underway));
  } catch {
    // A browser that stores nothing cannot resume. The service still finishes a paid order.
  }
}

/** Removes the payment of one of these quotes. Another one, perhaps of another tab, stays. */
export function forgetUnderway(quoteIds: ReadonlySet<string>): void {
  try {
    const kept = loadUnderway();
    if (kept === null || quoteIds.has(kept.quoteId)) localStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}

export function loadUnderway(): Underway | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('quoteId' in stored)) return null;
    const wire: unknown = 'wire' in stored ? stored.wire : null;
    if (typeof stored.quoteId !== 'string') return null;
    const wallet: unknown = 'wallet' in stored ? stored.wallet : null;
    const landsUntil: unknown = 'landsUntil' in stored ? stored.landsUntil : null;
    return {
      quoteId: stored.quoteId,
      wire: typeof wire === 'string' ? wire : null,
      ...(typeof wallet === 'string' ? { wallet } : {}),
      ...(typeof landsUntil === 'string' ? { landsUntil } : {}),
    };
  } catch {
    return null;
  }
}
