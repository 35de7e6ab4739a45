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

/** Of Vitest. */
const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({ name: z.string(), status: z.string(), assertionResults: z.array(z.unknown()) }),
  ),
});

/** Of Playwright. `flaky` passed when it was tried again. */
const pagesReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
});

/**
 * `npm test`: database client, unit tests beside the build, then side by side the programs, whole services and pages in
 * a browser. The last line is `N passed, N failed`.
 */
async function main(): Promise<Count> {
  const extra = process.argv.slice(2);
  ensureGenerated();
  const [unit, isBuilt] = await Promise.all([runTests(['unit'], extra), buildsForStack()]);
  if (!isBuilt) return { passed: unit.passed, failed: unit.failed + 1 };
  const whole = [runTests(['parts', 'service'], extra), ...(hasBrowser() ? [runPages(extra)] : [])];
  return [unit, ...(await Promise.all(whole))].reduce((sum, { passed, failed }) => ({
    passed: sum.passed + passed,
    failed: sum.failed + failed,
  }));
}

async function buildsForStack(): Promise<boolean> {
  try {
    await buildForStack((line) => console.log(line));
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return false;
  }
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
  const chosen = projects.flatMap((project) => ['--project', project]);
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  // Words after `npm test --` choose files, which may all be of the other kind.
  const some = extra.length > 0 ? ['--passWithNoTests'] : [];
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...chosen, ...output, ...some, ...extra];
  const code = await runNode(args, {});
  return readReport(dir, file, code, (json) => count(json, code));
}

async function runPages(extra: string[]): Promise<Count> {
  const dir = mkdtempSync(join(tmpdir(), 'quittance-report-'));
  const file = join(dir, 'report.json');
  const some = extra.length > 0 ? ['--pass-with-no-tests'] : [];
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,html,json'];
  const code = await runNode([...args, ...some, ...extra], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    PLAYWRIGHT_HTML_OPEN: 'never',
  });
  return readReport(dir, file, code, (json) => {
    const { stats } = pagesReport.parse(JSON.parse(json));
    return failAtLeast(
      {
        passed: stats.expected,
        failed: stats.unexpected + stats.flaky + failedWhenSkipped(stats.skipped),
      },
      code,
    );
  });
}

function runNode(args: string[], changes: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    spawn(process.execPath, args, {
      env: childEnv({ ...isolatedEnv(), ...changes }),
      stdio: ['ignore', 'inherit', 'inherit'],
    }).once('close', (exit) => resolve(exit ?? 1));
  });
}

/** What a report counts; a run that wrote none has failed. */
function readReport(dir: string, file: string, code: number, read: (json: string) => Count): Count {
  try {
    return existsSync(file)
      ? read(readFileSync(file, 'utf8'))
      : failAtLeast({ passed: 0, failed: 0 }, code);
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
  const skipped = failedWhenSkipped(r.numPendingTests + r.numTodoTests);
  return failAtLeast(
    { passed: r.numPassedTests, failed: r.numFailedTests + broken + skipped },
    code,
  );
}

/** Where everything has to be shown, a skipped test is a failure. */
function failedWhenSkipped(skipped: number): number {
  if (skipped > 0) console.log(`${skipped} tests were skipped`);
  return process.env.CI ? skipped : 0;
}

/** An error outside every test (a promise nobody awaits) fails the run as well. */
function failAtLeast({ passed, failed }: Count, code: number): Count {
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

const { passed, failed } = await main();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
