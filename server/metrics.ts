import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { createReadings } from './metric-readings';
import { trusted } from './trusted';

/**
 * The process's own counts, and the readings of the database, the chain and other parts, which are refreshed for
 * each scrape.
 */
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
    requests: counter('requests_total', 'REST requests by path and status', [
      'route',
      'method',
      'status',
    ]),
    unavailable: counter(
      'unavailable_total',
      'REST answers 503 by error code. expected="yes": the service told the caller to come back',
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
