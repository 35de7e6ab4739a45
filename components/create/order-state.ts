import { inOneTab } from '../one-tab';
import { OrderFailed, unforeseen, type Failure } from './order-failed';
import { forgetOrder, loadOrder, type Order } from './order-store';
import type { OrderNote, Phase, Report } from './run-order';

export type OrderState = {
  order: Order;
  /** Null when no run is active: before the start, or after a failure. */
  phase: Phase | null;
  /** When the phase began. */
  since: string;
  note: OrderNote | null;
  failure: Failure | null;
  isResumed: boolean;
};

/** The claim of the tab that runs an order. A browser runs one at a time. */
const CLAIM = 'quittance-order';

/** Another tab runs an order. `words` is `elsewhere` if it is for the same payment. */
const ELSEWHERE = { code: 'elsewhere', kind: 'warning', way: 'resume' } as const;

/**
 * The order of this tab. It is kept here and not in the page, because a reader who opens the docs and
 * comes back must find the order that still waits for the wallet.
 */
let shown: OrderState | null = null;
let isRunning = false;
const watchers = new Set<() => void>();

/** The order to show, or null. */
export function shownOrder(): OrderState | null {
  return shown;
}

/** Calls back after each change, until the returned function is called. */
export function watchOrder(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    forgetUnseen();
  };
}

/** Ends the order of this tab. One of another tab stays kept. */
export function clearOrder(): void {
  if (shown && !isElsewhere()) forgetOrder(shown.order);
  show(null);
}

/** Whether this tab shows that another one runs an order. */
export function isElsewhere(): boolean {
  return shown?.failure?.code === ELSEWHERE.code;
}

/**
 * Runs an order, unless another tab runs one: then this tab says so and touches nothing. Does nothing
 * during a run of this tab.
 */
export function performOrder(
  first: Order,
  o: { isResumed: boolean },
  work: (report: Report) => Promise<Order>,
): Promise<void> {
  return claim(
    () => runToEnd(first, o, work),
    () => showElsewhere(first, first.request.tx_signature),
  );
}

/**
 * Resumes the order that this browser keeps, unless another tab runs it. `tx` is the payment that the
 * page shows.
 */
export async function resumeKept(
  tx: string | null,
  work: (kept: Order, report: Report) => Promise<Order>,
): Promise<void> {
  const order = loadOrder() ?? (isElsewhere() ? shown?.order : null);
  if (!order || !(order.quote || isElsewhere())) return;
  const resume = async () => {
    // The other tab may have ended it meanwhile.
    const kept = loadOrder();
    if (kept?.quote) await runToEnd(kept, { isResumed: true }, (report) => work(kept, report));
    else show(null);
  };
  await claim(resume, () => showElsewhere(order, tx));
}

async function claim(run: () => Promise<void>, refused: () => void): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  try {
    if (!(await inOneTab(CLAIM, run))) refused();
  } finally {
    isRunning = false;
    forgetUnseen();
  }
}

async function runToEnd(
  first: Order,
  { isResumed }: { isResumed: boolean },
  work: (report: Report) => Promise<Order>,
): Promise<void> {
  let last = first;
  const report: Report = (order, phase, note) => {
    last = order;
    const since = shown?.phase === phase ? shown.since : new Date().toISOString();
    show({ order, phase, isResumed, note: note ?? null, failure: null, since });
  };
  try {
    await work(report);
  } catch (error) {
    const failure = error instanceof OrderFailed ? error.failure : unforeseen(error);
    // A failure that a step expected ends the order. Any other failure asks the reader to reload, so
    // the order stays.
    if (error instanceof OrderFailed && failure.way !== 'resume') forgetOrder(last);
    showFailure(last, failure, isResumed);
  }
}

function showElsewhere(order: Order, tx: string | null): void {
  const isThis = tx !== null && loadOrder()?.request.tx_signature === tx;
  showFailure(order, { ...ELSEWHERE, words: isThis ? 'elsewhere' : 'busyElsewhere' }, false);
}

function showFailure(order: Order, failure: Failure, isResumed: boolean): void {
  const since = new Date().toISOString();
  show({ order, phase: null, isResumed, note: null, failure, since });
}

function show(next: OrderState | null): void {
  shown = next;
  for (const watcher of watchers) watcher();
}

/** An order that ended while no page showed it is no news to a later page. */
function forgetUnseen(): void {
  if (watchers.size === 0 && !isRunning) shown = null;
}
