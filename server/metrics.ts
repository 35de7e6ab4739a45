import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { processWide } from './process-wide';

/**
 * The process's own counts, and the readings of the database, the chain and other parts, which are refreshed for
 * each scrape.
 */
export type Metrics = ReturnType<typeof createMetrics>;

export const metrics = processWide('metrics', createMetrics);

/** Gauges of prom-client under names that are reserved for counters. The same figures by type remain. */
const MISNAMED = ['handles', 'requests', 'resources'].map(
  (what) => `quittance_nodejs_active_${what}_total`,
);

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'quittance_' });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter<L>({ name: `quittance_${name}`, help, labelNames, registers });
  return {
    registry,
    /** When the job server last ran a step here, by the process's elapsed time. */
    jobsSeenAt: { ms: performance.now() },
    /** Payments that a single node of several shows, by signature, with elapsed times of this process. */
    lonePayments: new Map<string, { sinceMs: number; askedMs: number }>(),
    requests: counter('requests_total', 'REST requests by path and status', [
      'route',
      'method',
      'status',
    ]),
    unavailable: counter(
      'unavailable_total',
      'REST answers 503 by error code. expected="yes": the service asked the caller to retry',
      ['code', 'expected'],
    ),
    calls: counter('calls_total', 'Procedure calls by outcome, over every transport', [
      'procedure',
      'outcome',
    ]),
    callSeconds: new Histogram({
      name: 'quittance_call_seconds',
      help: 'Duration of procedure calls',
      labelNames: ['procedure'],
      buckets: [0.005, 0.02, 0.05, 0.15, 0.5, 1, 2, 5, 15, 60],
      registers,
    }),
    rpcPoints: counter('rpc_points_total', 'Calls to Solana nodes that requests caused', []),
    rpcCalls: counter('rpc_calls_total', 'Calls to Solana nodes by method', ['method']),
    rpcFailures: counter('rpc_failures_total', 'Calls to Solana nodes without a usable answer', [
      'method',
    ]),
    nodeDisagreements: counter(
      'node_disagreements_total',
      'Answers in which Solana nodes contradict each other: one lacks what another has, or success against failure',
      ['method'],
    ),
    storageRequests: counter(
      'storage_requests_total',
      'Requests to storage nodes. outcome: answered, refused (4xx) or failed (5xx or no answer)',
      ['method', 'outcome'],
    ),
    storedBytes: counter('stored_bytes_total', 'Bytes that permanent storage confirmed', []),
    runs: counter('job_runs_total', 'Finished mint runs by job and how they ended', [
      'job',
      'ended',
    ]),
    jobSteps: counter('job_steps_total', 'Job steps that ran in this process by outcome', [
      'job',
      'outcome',
    ]),
    readings: createReadings(registers),
  };
}

/**
 * A payment that no request asks for any more waits no longer; the sweep of payments asks each
 * minute.
 */
const LONE_KEPT_MS = 180_000;
/** A node may invent any number. */
const MOST_LONE = 1_000;

/** Notes whether a payment waits because a single node shows it. */
export function noteLone(signature: string, isLone: boolean): void {
  const { lonePayments: lone } = metrics();
  const askedMs = performance.now();
  dropStale(lone, askedMs);
  const sinceMs = lone.get(signature)?.sinceMs;
  if (!isLone) lone.delete(signature);
  else if (sinceMs !== undefined || lone.size < MOST_LONE)
    lone.set(signature, { sinceMs: sinceMs ?? askedMs, askedMs });
}

/**
 * Longest wait in seconds of a payment that only one node shows, from the first to the last check.
 * Whether it still waits is unknown. 0 without one.
 */
export function loneSeconds(): number {
  const { lonePayments: lone } = metrics();
  dropStale(lone, performance.now());
  const waits = [...lone.values()].map(({ sinceMs, askedMs }) => (askedMs - sinceMs) / 1_000);
  return Math.max(0, ...waits);
}

function dropStale(lone: ReturnType<typeof metrics>['lonePayments'], now: number): void {
  for (const [one, { askedMs }] of lone) if (now - askedMs > LONE_KEPT_MS) lone.delete(one);
}

/** A metric that shows nothing until it is set, and nothing again after it is dropped. */
type Reading<L extends string> = {
  set: (value: number, labels?: Record<L, string>) => void;
  drop: () => void;
};

/**
 * Metrics whose values come from outside the process, grouped by the part that they are read from.
 * When that part does not answer, all of its metrics are dropped, so that no scrape shows an old
 * value.
 */
function createReadings(registers: Registry[]) {
  const options = <L extends string>(name: string, help: string, labelNames: L[]) => ({
    name: `quittance_${name}`,
    help,
    labelNames,
    registers,
  });
  const gauge = <L extends string>(name: string, help: string, labels: L[]) =>
    reading<L>(new Gauge(options(name, help, labels)), labels);
  /** A total that only grows, kept by the database. */
  const total = <L extends string>(name: string, help: string, labels: L[]) =>
    reading<L>(new Counter(options(name, help, labels)), labels);

  return {
    database: {
      up: gauge('database_up', '1 if the database answered during this scrape, else 0', []),
    },
    parts: {
      up: gauge(
        'part_up',
        '1 if the metrics of this part could be read, else 0 and they are left out',
        ['part'],
      ),
    },
    pools: {
      size: gauge('db_pool_size', 'Connections that the pools of this process may open', ['pool']),
      open: gauge('db_pool_open', 'Connections that are open', ['pool']),
      idle: gauge('db_pool_idle', 'Open connections that nobody uses', ['pool']),
      waiting: gauge('db_pool_waiting', 'Callers that wait for a connection', ['pool']),
      stuck: gauge(
        'db_pool_stuck_seconds',
        'Time since an exhausted pool last lent or received a connection. 0 while connections are free',
        ['pool'],
      ),
    },
    mints: {
      open: gauge('mints', 'Mints that are not completed, by status and last completed step', [
        'status',
        'stage',
      ]),
      attempts: gauge('mint_attempts', 'Rejected attempts of pending mints', []),
      oldest: gauge('oldest_pending_seconds', 'Age of the oldest pending mint', []),
      seconds: gauge('mint_seconds', 'From request to NFT, over the mints of the last hour', [
        'percentile',
      ]),
      receipts: gauge('receipts', 'Receipts in the database, as its planner estimates them', []),
      secondNfts: total(
        'second_nfts_total',
        'Mint transactions that landed in addition to the one on record',
        [],
      ),
      undecided: gauge('undecided', 'Transactions that the nodes cannot decide, by kind', ['kind']),
      costLamports: total(
        'mint_cost_lamports_total',
        'Lamports that final mint transactions took from the minter',
        ['kind'],
      ),
      costed: total(
        'minted_total',
        'Final mint transactions whose cost is known, failed ones included',
        ['kind'],
      ),
    },
    payments: {
      lastDay: gauge('payments_last_day', 'Payments of the last 24 hours', ['dialect', 'state']),
      fees: total('fees_usdc_total', 'Fees of purchases in USDC, by payment dialect', ['dialect']),
      feesUndone: total('fees_undone_usdc_total', 'Fees of purchases that were undone, in USDC', [
        'dialect',
      ]),
      open: gauge('paid_routes_open', '1 while payments are accepted', []),
      settling: gauge('settling_open', '1 while payments of x402 v1 and v2 are sent', []),
      lone: gauge(
        'lone_payment_seconds',
        'Longest time between the first and the last check of a payment that only one node shows. 0 without one',
        [],
      ),
    },
    ledger: {
      difference: gauge(
        'ledger_difference',
        'Units of a token that the ledger of PAY_TO cannot explain: missing rows, transfers out without a record, purchases without money',
        ['token', 'kind'],
      ),
      age: gauge('ledger_age_seconds', 'Time since all accounts of PAY_TO were last read', []),
      others: gauge(
        'ledger_other_mints',
        'Accounts of PAY_TO in mints that are not in the table',
        [],
      ),
      books: gauge('ledger_books', 'Figures of the last reconciliation in units of the token', [
        'token',
        'figure',
      ]),
      booksAge: gauge('ledger_reconciled_seconds', 'Time since the last reconciliation', []),
    },
    space: {
      left: gauge('tree_space_left', 'Free leaves in our trees', []),
      capacity: gauge('tree_space', 'Leaves of the trees in use', []),
      freeLeft: gauge('free_mints_left', 'Free receipts left today', []),
    },
    uploads: {
      waiting: gauge('storage_items_waiting', 'Files of pending mints that are not stored yet', []),
      oldest: gauge(
        'storage_oldest_waiting_seconds',
        'Age of the oldest file that is not stored yet',
        [],
      ),
    },
    storage: {
      balance: gauge('storage_balance_sol', 'SOL of our account at the storage node', []),
    },
    balances: {
      sol: gauge('balance_sol', 'SOL of our keys', ['key']),
    },
    clocks: {
      skew: gauge('clock_skew_seconds', "How far a clock is ahead of the database's", ['clock']),
    },
    nodes: {
      up: gauge('node_up', '1 if this Solana node returned its slot, else 0', ['node']),
      behind: gauge('node_slots_behind', 'Slots by which this node is behind the newest', ['node']),
    },
    probe: {
      unanswered: gauge(
        'job_probe_unanswered_seconds',
        'Time since the oldest probe event after which none came back from the job server',
        [],
      ),
      fault: gauge(
        'job_probe_fault',
        '1 while the job server refuses probe events or sends none back',
        [],
      ),
    },
    jobs: {
      silence: gauge('job_silence_seconds', 'Time since the job server last ran a step here', []),
    },
  };
}

function reading<L extends string>(
  metric: Gauge<L> | Counter<L>,
  labelNames: readonly L[],
): Reading<L> {
  const drop = (): void => {
    metric.reset();
    // Without labels, a reset leaves a 0 behind.
    if (labelNames.length === 0) metric.remove();
  };
  drop();
  return {
    set: (value, labels) => {
      const at: Partial<Record<L, string>> = labels ?? {};
      metric.remove(at);
      metric.inc(at, value);
    },
    drop,
  };
}
