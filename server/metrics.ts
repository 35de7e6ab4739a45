import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { trusted } from './trusted';

/** The process's own counts. What the database and the chain tell is gathered when it is asked for. */
export type Metrics = ReturnType<typeof createMetrics>;

/** The server's bundles may each hold a copy of this module: there is one set of counts all the same. */
const PLACE = Symbol.for('quittance.metrics');

export function metrics(): Metrics {
  const known: unknown = Reflect.get(globalThis, PLACE);
  if (known) return trusted<Metrics>(known, 'only this function writes there');
  const made = createMetrics();
  Reflect.set(globalThis, PLACE, made);
  return made;
}

function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'quittance_' });
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter<L>({ name: `quittance_${name}`, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Gauge<L>({ name: `quittance_${name}`, help, labelNames, registers });
  return {
    registry,
    requests: counter('requests_total', 'REST requests by path and status', [
      'route',
      'method',
      'status',
    ]),
    calls: counter('calls_total', 'Calls of procedures by outcome, whichever door they came by', [
      'procedure',
      'outcome',
    ]),
    callSeconds: new Histogram({
      name: 'quittance_call_seconds',
      help: 'Time that procedures took',
      labelNames: ['procedure'],
      buckets: [0.005, 0.02, 0.05, 0.15, 0.5, 1, 2, 5, 15, 60],
      registers,
    }),
    rpcPoints: counter('rpc_points_total', 'Calls to Solana nodes that requests caused', []),
    runs: counter('job_runs_total', 'Job runs by function and how they ended', ['job', 'ended']),
    rpcCalls: gauge('rpc_calls', 'Calls to Solana nodes since the start, by method', ['method']),
    rpcTroubles: gauge('rpc_failures', 'Those that got no usable answer', ['method']),
    mints: gauge('mints', 'Mints that are not completed, by status and last step done', [
      'status',
      'stage',
    ]),
    mintAttempts: gauge('mint_attempts', 'Refused tries of the mints that are pending', []),
    oldestPending: gauge('oldest_pending_seconds', 'Age of the oldest pending mint', []),
    mintSeconds: gauge('mint_seconds', 'From request to NFT, for mints of the last hour', [
      'quantile',
    ]),
    receipts: gauge('receipts', 'Receipts in the database, as its planner counts them', []),
    payments: gauge('payments_last_day', 'Payments of the last 24 hours', ['dialect', 'state']),
    undecided: gauge('undecided', 'Transactions that the nodes cannot decide, by kind', ['kind']),
    secondNfts: gauge('second_nfts', 'Mint transactions that landed beside the one on record', []),
    freeLeft: gauge('free_mints_left', 'Free receipts that today still has', []),
    treeLeft: gauge('tree_space_left', 'Leaves that our trees still take', []),
    treeCapacity: gauge('tree_space', 'Leaves that the trees in use take in all', []),
    balance: gauge('balance_sol', 'SOL of our keys and of our account at the storage node', [
      'key',
    ]),
    clockSkew: gauge(
      'clock_skew_seconds',
      "How far the clocks of this machine and of the chain are ahead of the database's",
      ['clock'],
    ),
    ledgerDifference: gauge(
      'ledger_difference',
      'Units of a token that the ledger of PAY_TO cannot explain: rows that are missing, what left without a record, purchases without money',
      ['token', 'kind'],
    ),
    ledgerAge: gauge('ledger_age_seconds', 'Time since all accounts of PAY_TO were last read', []),
    ledgerOthers: gauge('ledger_other_mints', 'Accounts of PAY_TO in mints not in the table', []),
    paidOpen: gauge('paid_routes_open', '1 while payments are taken', []),
    settlingOpen: gauge('settling_open', '1 while payments of x402 v1 and v2 are sent', []),
  };
}
