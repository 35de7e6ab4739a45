import { expect, it } from 'vitest';
import { readJobs } from '@/server/admin/gather-metrics';
import { metrics } from '@/server/metrics';
import { trusted } from '@/server/trusted';
import { tracedSteps } from './traced-steps';

type Step = Parameters<typeof tracedSteps>[0];
const step = trusted<Step>(
  { run: (_: string, work: () => Promise<unknown>) => work() },
  'steps are only run here',
);

it('a step that the job server runs is counted by outcome and ends its silence', async () => {
  const run = tracedSteps(step, { job: 'of-the-test' });
  metrics().jobsSeenAt.ms -= 400_000;
  const silence = async () => {
    (await readJobs())();
    const text = await metrics().registry.getSingleMetricAsString('quittance_job_silence_seconds');
    return Number(/^quittance_job_silence_seconds (\S+)$/m.exec(text)?.[1]);
  };
  expect(await silence()).toBeGreaterThan(400);
  await run('goes well', async () => 1);
  expect(await silence()).toBeLessThan(60);
  await expect(
    run('fails', async () => {
      throw new Error('not today');
    }),
  ).rejects.toThrow('not today');
  const { values } = await metrics().jobSteps.get();
  expect(
    values
      .filter(({ labels }) => labels.job === 'of-the-test')
      .map(({ labels, value }) => [labels.outcome, value]),
  ).toEqual([
    ['done', 1],
    ['threw', 1],
  ]);
});
