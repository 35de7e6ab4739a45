import type { ServiceContext } from '@/server/context';
import { poolStates } from '@/server/db/pool-state';
import { probeState } from '@/server/admin/job-probe';
import { metrics } from '@/server/metrics';

/** The database connections of this process. */
export async function readPools(): Promise<() => void> {
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

/** How long the job server has left this process alone. A sweep runs every minute in one of the processes. */
export async function readJobs(): Promise<() => void> {
  const { readings, jobsSeenAt } = metrics();
  const silentS = (performance.now() - jobsSeenAt.ms) / 1000;
  return () => readings.jobs.silence.set(silentS);
}

/** Whether events that are sent to the job server come back. */
export async function readProbe({ db }: ServiceContext): Promise<() => void> {
  const { unansweredS, fault: word } = await probeState(db);
  const { unanswered, fault } = metrics().readings.probe;
  return () => {
    unanswered.set(unansweredS);
    fault.set(word === null ? 0 : 1);
  };
}
