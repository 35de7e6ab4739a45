import type { ServiceContext } from '@/server/context';
import { poolStates } from '@/server/db/client';
import { log } from '@/server/log';
import { metrics, type Metrics } from '@/server/metrics';
import { probeState } from './job-probe';
import {
  readBalances,
  readClocks,
  readLedger,
  readMints,
  readNodes,
  type ReadPart,
  readPayments,
  readSpace,
  readStorage,
  readUploads,
} from './read-metrics';

/** Prometheus gives up on a scrape after 10 s. */
const PATIENCE_MS = 4_000;

const PARTS: readonly (readonly [keyof Metrics['readings'], ReadPart])[] = [
  ['mints', readMints],
  ['payments', readPayments],
  ['ledger', readLedger],
  ['space', readSpace],
  ['uploads', readUploads],
  ['balances', readBalances],
  ['storage', readStorage],
  ['nodes', readNodes],
  ['clocks', readClocks],
  ['pools', readPools],
  ['jobs', readJobs],
  ['probe', readProbe],
];

/** Parts that have not answered an earlier scrape yet. A second query would only wait behind the first. */
const unanswered = new Set<string>();

/**
 * Refreshes the metrics that come from outside the process. Queries keep to an index, so a million receipts cost
 * nothing. The metrics of a part that fails or takes longer than 4 s are dropped: no old value is shown.
 */
export async function gatherMetrics(
  service: ServiceContext,
  { patienceMs = PATIENCE_MS } = {},
): Promise<void> {
  const { readings } = metrics();
  const attempt = <T>(part: string, work: () => Promise<T>) => inTime({ part, work, patienceMs });
  const askDatabase = async () => {
    await service.db.$queryRaw`select 1`;
    return () => undefined;
  };
  await Promise.all([
    attempt('database', askDatabase).then((answer) =>
      readings.database.up.set(answer === null ? 0 : 1),
    ),
    ...PARTS.map(async ([part, read]) => {
      const write = await attempt(part, () => read(service));
      for (const reading of Object.values(readings[part])) reading.drop();
      write?.();
      readings.parts.up.set(write === null ? 0 : 1, { part });
    }),
  ]);
}

/** The result of the work, or null when it fails or is late. A late result is dropped. */
async function inTime<T>(o: {
  part: string;
  work: () => Promise<T>;
  patienceMs: number;
}): Promise<T | null> {
  const { part, work, patienceMs } = o;
  if (unanswered.has(part)) return null;
  unanswered.add(part);
  const working = work().finally(() => unanswered.delete(part));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), patienceMs);
  });
  try {
    return await Promise.race([working, late]);
  } catch (error) {
    log().warn({ event: 'metrics_part_silent', part, err: error });
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** The database connections of this process. */
async function readPools(): Promise<() => void> {
  const states = poolStates();
  const { size, open, idle, waiting, stuck } = metrics().readings.pools;
  return () => {
    for (const { name: pool, ...state } of states) {
      size.set(state.size, { pool });
      open.set(state.open, { pool });
      idle.set(state.idle, { pool });
      waiting.set(state.waiting, { pool });
      stuck.set(state.stuckS, { pool });
    }
  };
}

/** Time since the job server last called this process. A sweep runs every minute in one of the processes. */
export async function readJobs(): Promise<() => void> {
  const { readings, jobsSeenAt } = metrics();
  const silentS = (performance.now() - jobsSeenAt.ms) / 1000;
  return () => readings.jobs.silence.set(silentS);
}

/** Whether events that are sent to the job server come back. */
async function readProbe({ db }: ServiceContext): Promise<() => void> {
  const { unansweredS, fault: word } = await probeState(db);
  const { unanswered, fault } = metrics().readings.probe;
  return () => {
    unanswered.set(unansweredS);
    fault.set(word === null ? 0 : 1);
  };
}
