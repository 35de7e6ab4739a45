import { parseArgs } from 'node:util';
import { z } from 'zod';
import { buildForStack } from '@/scripts/build-app';
import { planBlows } from './plan-blows';
import { createRandom } from './random';
import { describeReport, isClean, runChaos } from './run-chaos';

/** The command ends within this time, whatever happens. */
const MOST_MS = 1_200_000;
/**
 * How long customers go on asking after the last kill. On a slow machine the service has barely
 * started by then.
 */
const PATIENCE_AFTER_MS = 200_000;
const options = z.object({
  seed: z.coerce
    .number()
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(() => Date.now() % 1_000_000),
  seconds: z.coerce.number().int().min(10).max(330).default(270),
  customers: z.coerce.number().int().min(1).max(50).default(6),
  nodes: z.coerce
    .number()
    .pipe(z.union([z.literal(1), z.literal(2)]))
    .default(2),
});

/**
 * `npm run test:chaos`. `-- --seed 7` repeats a run. `--seconds` of kills, a number of
 * `--customers` and of `--nodes` (1 or 2) are options. Exits with 1 if anything was lost, doubled
 * or unpaid.
 */
async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seconds: { type: 'string' },
      customers: { type: 'string' },
      nodes: { type: 'string' },
    },
  });
  const { seed, seconds, customers, nodes } = options.parse(values);
  const say = (line: string) => console.log(line);
  await buildForStack(say);
  say(
    `seed ${seed} (repeat with: npm run test:chaos -- --seed ${seed} --seconds ${seconds} --nodes ${nodes})`,
  );
  const report = await runChaos({
    seed,
    customers,
    nodes,
    say,
    blows: planBlows(createRandom(seed)),
    loadMs: seconds * 1_000,
    patienceMs: seconds * 1_000 + PATIENCE_AFTER_MS,
    hurry: false,
  });
  for (const line of describeReport(report)) say(line);
  say(`seed ${seed}: ${isClean(report) ? 'nothing lost, doubled or unpaid' : 'FAILED'}`);
  return isClean(report);
}

setTimeout(() => {
  console.error(`not at an end after ${MOST_MS / 1_000} s`);
  process.exit(1);
}, MOST_MS).unref();
process.exit((await main()) ? 0 : 1);
