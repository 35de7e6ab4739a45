import { Counter, Gauge, type Registry } from 'prom-client';

/** A metric that shows nothing until it is set, and nothing again after it is dropped. */
type Reading<L extends string> = {
  set: (value: number, labels?: Record<L, string>) => void;
  drop: () => void;
};

/**
 * Metrics whose values come from outside the process. They are grouped by the part that they are read from: when
 * that part does not answer, all of its metrics are dropped, so that no scrape shows an old value.
 */
export function createReadings(registers: Registry[]) {
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
        'Time since an exhausted pool last lent or got back a connection. 0 while connections are free',
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
        'Mint transactions that landed beside the one on record',
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
      up: gauge('node_up', '1 if this Solana node told its slot, else 0', ['node']),
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
