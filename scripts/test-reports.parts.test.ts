import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { childEnv } from './environment';
import { failAtLeast, readPages, readVitest } from './test-reports';

let dir = '';

beforeAll(() => {
  mkdirSync('.data', { recursive: true });
  dir = mkdtempSync(resolve('.data/reports-'));
  // Else Vitest takes the one of the project.
  writeFileSync(join(dir, 'vitest.config.js'), 'export default {};');
  symlinkSync(resolve('node_modules'), join(dir, 'node_modules'));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

/** Runs a test runner in the folder; answers its JSON report and exit code. */
function run(program: string, args: string[], changes: Record<string, string> = {}) {
  const { status } = spawnSync(process.execPath, [resolve(program), ...args], {
    cwd: dir,
    env: childEnv(changes),
  });
  return { json: readFileSync(join(dir, 'report.json'), 'utf8'), code: status ?? -1 };
}

describe('a report of Vitest', () => {
  it(
    'names what failed, was skipped, did not load or was not prepared',
    { timeout: 60_000 },
    () => {
      const imports = "import { beforeAll, expect, it } from 'vitest';\n";
      writeFileSync(
        join(dir, 'sums.test.js'),
        `${imports}it('adds', () => {}); it('halves', () => expect(1).toBe(2)); it.skip('waits', () => {});`,
      );
      writeFileSync(
        join(dir, 'late.test.js'),
        `${imports}beforeAll(() => { throw new Error('no database') }); it('reads', () => {});`,
      );
      writeFileSync(join(dir, 'broken.test.js'), 'throw new Error("no such module")');
      const output = ['--reporter=json', '--outputFile.json=report.json'];
      const { json, code } = run('node_modules/vitest/vitest.mjs', ['run', ...output]);

      vi.stubEnv('CI', '1');
      const { passed, failed, failures } = readVitest(json, code);
      expect({ passed, failed }).toEqual({ passed: 1, failed: 4 });
      expect(failures.map((line) => line.replace(/^\S*\//, '')).sort()).toEqual([
        'broken.test.js › the whole file: no such module',
        'late.test.js › reads: skipped',
        'late.test.js › the whole file: no database',
        'sums.test.js › halves: AssertionError: expected 1 to be 2 // Object.is equality',
        'sums.test.js › waits: skipped',
      ]);
      vi.stubEnv('CI', '');
      expect(readVitest(json, code).failed).toBe(2);
    },
  );
});

describe('a report of Playwright', () => {
  it('names what failed, in suites as well', { timeout: 60_000 }, () => {
    writeFileSync(
      join(dir, 'pages.spec.js'),
      `import { expect, test } from '@playwright/test';
       test('opens', () => {});
       test.describe('a form', () => { test('sends', () => expect('a').toBe('b')); });`,
    );
    const { json, code } = run(
      'node_modules/@playwright/test/cli.js',
      ['test', '--reporter=json', '--output=results', 'pages.spec.js'],
      { PLAYWRIGHT_JSON_OUTPUT_FILE: join(dir, 'report.json') },
    );
    const { passed, failed, failures } = readPages(json, code);
    expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
    expect(failures).toEqual([
      expect.stringMatching(/^e2e\/pages\.spec\.js:3 › sends: Error: expect\(received\)/),
    ]);
  });
});

describe('a run that ended with an error', () => {
  it('has failed, even if no test has', () => {
    const clean = { passed: 3, failed: 0, failures: [] };
    expect(failAtLeast(clean, 1)).toEqual({
      passed: 3,
      failed: 1,
      failures: ['an error outside every test (exit 1)'],
    });
    expect(failAtLeast(clean, 0)).toEqual(clean);
    const named = { ...clean, failures: ['late.test.js › the whole file: no database'] };
    expect(failAtLeast(named, 1)).toEqual({ ...named, failed: 1 });
  });
});
