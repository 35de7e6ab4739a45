import { log } from '@/server/log';
import { metrics } from '@/server/metrics';
import { serviceClock } from '@/server/service-clock';

/**
 * One wide event for a job run that came to its end. Called after the last step: the job server runs a
 * function anew for each of its steps, and only the last time gets so far.
 */
export function noteRun(o: {
  job: string;
  runId: string;
  /** Id of what the run was for. */
  subject: string;
  /** Milliseconds since 1970 of the event that began it. */
  since: number | undefined;
  ended: string;
}): void {
  const { job, runId, subject, since, ended } = o;
  metrics().runs.inc({ job, ended });
  log().info({
    event: 'job_run',
    ...{ job, run_id: runId, subject, ended },
    duration_ms: since === undefined ? null : Math.max(0, serviceClock().now().getTime() - since),
  });
}
