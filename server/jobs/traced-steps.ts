import type { GetStepTools } from 'inngest';
import type { jobs } from '@/server/job-server/client';
import { log } from '@/server/log';
import { metrics } from '@/server/metrics';
import { serviceClock } from '@/server/service-clock';
import { type Attributes, traced } from '@/server/tracing';

/** Runs the named steps of a job, each as a span that names the job and its subject, and counts them. */
export function tracedSteps(
  step: GetStepTools<ReturnType<typeof jobs>>,
  of: Attributes & { job: string },
) {
  return <T>(name: string, work: () => Promise<T>) =>
    step.run(name, async () => {
      const { jobSteps, jobsSeenAt } = metrics();
      jobsSeenAt.ms = performance.now();
      let outcome = 'threw';
      try {
        const result = await traced(`step ${name}`, of, work);
        outcome = 'done';
        return result;
      } finally {
        jobSteps.inc({ job: of.job, outcome });
      }
    });
}

/**
 * One wide event for a finished job run. Called after the last step: the job server runs a
 * function again for each of its steps, and only the last run gets this far.
 */
export function noteRun(o: {
  job: string;
  runId: string;
  /** Id of the subject of the run. */
  subject: string;
  /** Milliseconds since 1970 of the event that began it. */
  since: number | undefined;
  ended: string;
}): void {
  const { job, runId, subject, since, ended } = o;
  metrics().runs.inc({ job, ended });
  log().info({
    event: 'job_run',
    job,
    run_id: runId,
    subject,
    ended,
    duration_ms: since === undefined ? null : Math.max(0, serviceClock().now().getTime() - since),
  });
}
