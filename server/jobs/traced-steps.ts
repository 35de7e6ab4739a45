import type { GetStepTools } from 'inngest';
import { traced, type Attributes } from '@/server/tracing';
import type { jobs } from './client';

/** Runs the named steps of a job, each as a span that tells the job and what it is about. */
export function tracedSteps(
  step: GetStepTools<ReturnType<typeof jobs>>,
  of: Attributes & { job: string },
) {
  return <T>(name: string, work: () => Promise<T>) =>
    step.run(name, () => traced(`step ${name}`, of, work));
}
