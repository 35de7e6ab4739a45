import { existsSync } from 'node:fs';
import { z } from 'zod';
import { run } from './run-tool';

const FOLDERS = [
  'app',
  'components',
  'server',
  'packages',
  'devnet',
  'scripts',
  'prisma',
  'tests',
  'bench',
];
/**
 * When the tool cannot read TypeScript, it reports nothing. The repository has more modules than
 * this.
 */
const LEAST_MODULES = 150;

const answer = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(
      z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) }),
    ),
    ruleSetUsed: z.object({
      forbidden: z.array(z.object({ name: z.string(), comment: z.string() })),
    }),
  }),
});

/** The allowed imports: .dependency-cruiser.cjs. */
export async function checkBorders(): Promise<string[]> {
  const { output } = await run('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', [
    ...['--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
    ...FOLDERS.filter((folder) => existsSync(folder)),
  ]);
  const json = output.slice(output.indexOf('{'));
  const { summary } = answer.parse(JSON.parse(json));
  const faults = summary.violations.map(({ from, to, rule }) => {
    const why = summary.ruleSetUsed.forbidden.find(({ name }) => name === rule.name)?.comment;
    return `${from} imports ${to}: ${why ?? rule.name}`;
  });
  if (summary.totalCruised < LEAST_MODULES)
    faults.push(`only ${summary.totalCruised} modules were checked; the checker is broken`);
  return faults;
}
