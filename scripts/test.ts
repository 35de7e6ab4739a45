import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnv } from './environment';
import { findBrowser } from '@/e2e/harness/find-browser';
import { buildForStack } from './build-app';
import { ensureGenerated } from './ensure-generated';
import { isolatedEnv } from './isolated-env';
import { failAtLeast, type Outcome, readPages, readVitest } from './test-reports';

/**
 * `npm test`: the database client, then unit tests beside the build, then in parallel the programs,
 * whole services and pages in a browser. Tests that did not pass are named at the end, a line each, where
 * a long output is still read. The last line is `N passed, N failed`.
 */
async function main(): Promise<Outcome> {
  const extra = process.argv.slice(2);
  ensureGenerated();
  const [unit, isBuilt] = await Promise.all([runTests(['unit'], extra), buildsForStack()]);
  if (!isBuilt) return sum([unit, NOT_BUILT]);
  const whole = [runTests(['parts', 'service'], extra), ...(hasBrowser() ? [runPages(extra)] : [])];
  return sum([unit, ...(await Promise.all(whole))]);
}

const NOT_BUILT: Outcome = { passed: 0, failed: 1, failures: ['the app cannot be built'] };

function sum(outcomes: Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((total, { passed }) => total + passed, 0),
    failed: outcomes.reduce((total, { failed }) => total + failed, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
  };
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

/**
 * A machine without Chromium runs the rest. Where every test is required, a missing Chromium is a
 * failure.
 */
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

async function runTests(projects: string[], extra: string[]): Promise<Outcome> {
  const dir = mkdtempSync(join(tmpdir(), 'quittance-report-'));
  const file = join(dir, 'report.json');
  const chosen = projects.flatMap((project) => ['--project', project]);
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  // Words after `npm test --` choose files, which may all be of the other kind.
  const some = extra.length > 0 ? ['--passWithNoTests'] : [];
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...chosen, ...output, ...some, ...extra];
  const code = await runNode(args, {});
  return readReport(dir, file, code, (json) => readVitest(json, code));
}

async function runPages(extra: string[]): Promise<Outcome> {
  const dir = mkdtempSync(join(tmpdir(), 'quittance-report-'));
  const file = join(dir, 'report.json');
  const some = extra.length > 0 ? ['--pass-with-no-tests'] : [];
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,html,json'];
  const code = await runNode([...args, ...some, ...extra], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    PLAYWRIGHT_HTML_OPEN: 'never',
  });
  return readReport(dir, file, code, (json) => readPages(json, code));
}

function runNode(args: string[], changes: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    spawn(process.execPath, args, {
      env: childEnv({ ...isolatedEnv(), ...changes }),
      stdio: ['ignore', 'inherit', 'inherit'],
    }).once('close', (exit) => resolve(exit ?? 1));
  });
}

/** The counts of a report. A run without a report has failed. */
function readReport(
  dir: string,
  file: string,
  code: number,
  read: (json: string) => Outcome,
): Outcome {
  try {
    return existsSync(file)
      ? read(readFileSync(file, 'utf8'))
      : failAtLeast({ passed: 0, failed: 0, failures: [] }, code);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const { passed, failed, failures } = await main();
for (const failure of failures) console.log(`NOT PASSED: ${failure}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
