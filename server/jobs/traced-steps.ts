import type { GetStepTools } from 'inngest';
import { metrics } from '@/server/metrics';
import { traced, type Attributes } from '@/server/tracing';
import type { jobs } from './client';

/** Runs the named steps of a job, each as a span that tells the job and what it is about, and counts them. */
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
