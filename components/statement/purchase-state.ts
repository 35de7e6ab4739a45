import { failureOf, type ApiFailure } from '../api-client';
import { refused } from '../create/failures';
import { OrderFailed, type Failure } from '../create/order-failed';
import { confirmPayment, type Underway } from '../create/pay-quote';
import { inOneTab } from '../one-tab';
import type { Work } from './statement-offer';
import type { StatementRequest } from './statement-period';
import { forgetUnderway, loadUnderway, saveUnderway } from './underway-store';

type Purchase = {
  /** Null when nothing is under way. Stays when the statement is bought, because its page follows. */
  work: Work | null;
  /** The statement that is paid for. Null if the page that ordered it was closed. */
  request: StatementRequest | null;
  failure: Failure | null;
  /** The statement that was bought, with the quotes of its payment. */
  bought: { id: string; quoteIds: ReadonlySet<string> } | null;
};

/** Shows the phase of a purchase. */
type Say = (phase: Work['phase'], note?: ApiFailure) => void;

/** The steps of a purchase. `keep` stores its payment in this browser before it is sent. */
type Steps = { say: Say; keep: (underway: Underway) => void };

export const NO_PURCHASE: Purchase = { work: null, request: null, failure: null, bought: null };

/** The claim of the tab that pays for a statement. A browser pays for one at a time. */
const CLAIM = 'quittance-statement';

const ELSEWHERE: Failure = {
  code: 'elsewhere',
  kind: 'warning',
  words: 'statementElsewhere',
  way: 'resume',
};

/**
 * The purchase of this tab. It is kept here and not in the page, because a reader may open the docs and
 * come back. Then they must find the payment that still waits for the wallet, or the reason why it failed.
 */
let shown = NO_PURCHASE;
let isPaying = false;
const watchers = new Set<() => void>();

/** The purchase to show. */
export function shownPurchase(): Purchase {
  return shown;
}

/** Calls back after each change, until the returned function is called. */
export function watchPurchase(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    // A failure stays until the next step: it may have come while no page showed it.
    if (watchers.size === 0 && !isPaying && shown.failure === null) shown = NO_PURCHASE;
  };
}

/** Removes a failure that was shown. */
export function clearFailure(): void {
  show({ failure: null });
}

/**
 * Buys a statement with `pay`, which answers its id. If this browser already has a payment under way,
 * that one is finished instead, so nobody pays twice. If another tab pays for a statement, this tab
 * says so and touches nothing. Does nothing during a purchase of this tab. `onPhase` is called at once
 * when a phase begins, because a wallet may answer before the page shows that it is asked.
 */
export function buyStatement(o: {
  request: StatementRequest;
  onPhase: (phase: Work['phase']) => void;
  pay: (steps: Steps) => Promise<string>;
}): Promise<void> {
  return perform(async () => {
    const earlier = loadUnderway();
    if (earlier) await finish(earlier, o.onPhase);
    else {
      show({ request: o.request });
      await attempt(o.onPhase, o.pay);
    }
  });
}

/** Finishes the payment that this browser keeps, if there is one. */
export function resumeStatement(onPhase: (phase: Work['phase']) => void): Promise<void> {
  return perform(async () => {
    // Another tab may have finished it meanwhile.
    const earlier = loadUnderway();
    if (earlier) await finish(earlier, onPhase);
  });
}

function finish(underway: Underway, onPhase: (phase: Work['phase']) => void): Promise<void> {
  return attempt(onPhase, async ({ say, keep }) => {
    keep(underway);
    return (await confirmPayment({ ...underway, headers: {}, onPhase: say })).id;
  });
}

/** One attempt, with its result or its failure. A payment that is decided is no longer kept. */
async function attempt(
  onPhase: (phase: Work['phase']) => void,
  buy: (steps: Steps) => Promise<string>,
): Promise<void> {
  const own = new Set<string>();
  const keep = (underway: Underway) => {
    own.add(underway.quoteId);
    saveUnderway(underway);
  };
  try {
    const id = await buy({ say: sayer(onPhase), keep });
    show({ bought: { id, quoteIds: own } });
  } catch (error) {
    const failure = error instanceof OrderFailed ? error.failure : refused(failureOf(error));
    if (error instanceof OrderFailed && isDecided(failure)) forgetUnderway(own);
    show({ failure });
  }
}

/**
 * Refusals of a kept payment that no later answer can change: its quote is gone, or was never one. The
 * service keeps a quote longer than a payment for it can land.
 */
const HOPELESS: ReadonlySet<string> = new Set(['quote_unknown', 'invalid_request']);

/** Whether nothing can come of the payment any more. */
function isDecided({ code, way, mayBePaid }: Failure): boolean {
  return HOPELESS.has(code) || (way !== 'resume' && mayBePaid !== true);
}

/** Runs one purchase at a time, in this tab and in the browser. */
async function perform(run: () => Promise<void>): Promise<void> {
  // A second press may come before the page shows the first one.
  if (isPaying) return;
  isPaying = true;
  show(NO_PURCHASE);
  try {
    // A new object, so that the banner takes the focus each time.
    if (!(await inOneTab(CLAIM, run))) show({ failure: { ...ELSEWHERE } });
  } finally {
    isPaying = false;
    if (shown.bought === null) show({ work: null });
  }
}

function sayer(onPhase: (phase: Work['phase']) => void): Say {
  return (phase, note) => {
    const before = shown.work;
    const isNew = phase !== before?.phase;
    if (isNew) onPhase(phase);
    const since = isNew ? new Date().toISOString() : before.since;
    show({ work: { phase, note: note ?? null, since } });
  };
}

function show(change: Partial<Purchase>): void {
  shown = { ...shown, ...change };
  for (const watcher of watchers) watcher();
}
