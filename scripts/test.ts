import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { childEnv } from './environment';
import { findBrowser } from '@/e2e/harness/find-browser';
import { buildForStack } from './build-app';
import { ensureGenerated } from './ensure-generated';
import { isolatedEnv } from './isolated-env';

type Count = { passed: number; failed: number };

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({ name: z.string(), status: z.string(), assertionResults: z.array(z.unknown()) }),
  ),
});

/**
 * `npm test`: database client, unit tests, build, then side by side the programs, whole services and pages in a
 * browser. The last line is `N passed, N failed`.
 */
async function main(): Promise<Count> {
  const extra = process.argv.slice(2);
  ensureGenerated();
  const unit = await runTests(['unit', 'mocked'], extra);
  try {
    await buildForStack((line) => console.log(line));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return { passed: unit.passed, failed: unit.failed + 1 };
  }
  const whole = ['parts', 'service', ...(hasBrowser() ? ['e2e'] : [])];
  const service = await runTests(whole, extra);
  return { passed: unit.passed + service.passed, failed: unit.failed + service.failed };
}

/** A machine without Chromium runs the rest; where everything has to be shown its want is a failure. */
function hasBrowser(): boolean {
  try {
    findBrowser();
    return true;
  } catch (error) {
    if (process.env.CI) throw error;
    console.log(`left out: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

async function runTests(projects: string[], extra: string[]): Promise<Count> {
  const dir = mkdtempSync(join(tmpdir(), 'quittance-report-'));
  const file = join(dir, 'report.json');
  // Words after `npm test --` choose files, which may all be of the other kind.
  const some = extra.length > 0 ? ['--passWithNoTests'] : [];
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await new Promise<number>((resolve) => {
    spawn(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        ...projects.flatMap((project) => ['--project', project]),
        ...output,
        ...some,
        ...extra,
      ],
      { env: childEnv(isolatedEnv()), stdio: ['ignore', 'inherit', 'inherit'] },
    ).once('close', (exit) => resolve(exit ?? 1));
  });
  try {
    if (!existsSync(file)) return { passed: 0, failed: code === 0 ? 0 : 1 };
    return count(readFileSync(file, 'utf8'), code);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function count(json: string, code: number): Count {
  const r = report.parse(JSON.parse(json));
  // A file that cannot be loaded has no test to fail.
  const broken = r.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const skipped = r.numPendingTests + r.numTodoTests;
  if (skipped > 0) console.log(`${skipped} tests were skipped`);
  const failed = r.numFailedTests + broken + (process.env.CI ? skipped : 0);
  // An error outside every test (a promise nobody awaits) fails the run as well.
  return { passed: r.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

const { passed, failed } = await main();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
