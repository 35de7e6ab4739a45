import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runPrinted } from '@/tests/harness/documented-commands';
import { runNode } from '@/tests/harness/run-command';

const SLOW_MS = 360_000;
const here = { cwd: process.cwd(), env: {} };
const listed = z.array(z.object({ file: z.string(), projectName: z.string() }));

/** The files that Vitest would run, with their projects. It runs nothing. */
async function filesOf(words: string[]): Promise<{ file: string; projectName: string }[]> {
  const list = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', ...words, '--json'];
  const { code, output } = await runNode(list, here);
  expect(code, output).toBe(0);
  return listed.parse(JSON.parse(output.slice(output.indexOf('['))));
}

describe('the tests that CONTRIBUTING.md names', () => {
  // The words behind the command choose files. To run them here would run them twice.
  it.each([
    ['npm test -- backup.parts', ['parts'], ['scripts/backup.parts.test.ts']],
    ['npm test -- tests/reading', ['service'], ['tests/reading.test.ts']],
    ['npm test -- plain-service', ['service'], ['tests/plain-service.test.ts']],
  ])(
    '%s chooses one file',
    async (command, projects, files) => {
      expect(readFileSync('CONTRIBUTING.md', 'utf8')).toContain(`\`${command}\``);
      const chosen = await filesOf([command.replace('npm test -- ', '')]);
      expect(new Set(chosen.map(({ projectName }) => projectName))).toEqual(new Set(projects));
      expect(chosen.map(({ file }) => file.replace(`${process.cwd()}/`, ''))).toEqual(files);
    },
    SLOW_MS,
  );

  it(
    'npx vitest run --project unit server/rates chooses the unit tests of one folder',
    async () => {
      const chosen = await filesOf(['--project', 'unit', 'server/rates']);
      expect(chosen.length).toBeGreaterThan(3);
      for (const { file } of chosen) expect(file).toContain('/server/rates/');
    },
    SLOW_MS,
  );

  it(
    'npx vitest run -u <file> is an option of Vitest',
    async () => {
      const { output } = await runNode(['node_modules/vitest/vitest.mjs', 'run', '--help'], here);
      expect(output).toMatch(/-u, --update/);
    },
    SLOW_MS,
  );

  it(
    'npm run e2e and npx playwright test list the pages of e2e',
    async () => {
      const { scripts } = z
        .object({ scripts: z.record(z.string(), z.string()) })
        .parse(JSON.parse(readFileSync('package.json', 'utf8')));
      expect(scripts['e2e']).toMatch(/&& playwright test$/);
      const args = ['node_modules/@playwright/test/cli.js', 'test', '--list'];
      const { code, output } = await runNode(args, here);
      expect([code, output]).toEqual([0, expect.stringMatching(/Total: \d+ tests in \d+ files/)]);
    },
    SLOW_MS,
  );

  it(
    'npx playwright show-report is a command of Playwright',
    async () => {
      const args = ['node_modules/@playwright/test/cli.js', 'show-report', '--help'];
      const { code, output } = await runNode(args, here);
      expect([code, output]).toEqual([0, expect.stringContaining('show HTML report')]);
    },
    SLOW_MS,
  );
});

it('npm install of the verifier names the packages that draw, in the versions of package.json', () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const [, optional = ''] =
    /"peerDependencies": \{([^}]+)\}/.exec(readFileSync('packages/verify/package.json', 'utf8')) ??
    [];
  const drawing = [...optional.matchAll(/"(@[^"]+)":/g)].map(([, name = '']) => name);
  const readme = readFileSync('packages/verify/README.md', 'utf8').replaceAll(/\\\n\s*/g, '');
  const [, printed = ''] = /^npm install (@napi.+)$/m.exec(readme) ?? [];
  expect(printed.split(' ').sort()).toEqual(
    drawing.map((name) => `${name}@${dependencies[name]}`).sort(),
  );
});

describe('npm run bench', () => {
  it.each([
    'npm run bench -- load million',
    'npm run bench -- minting',
    'npm run bench -- dashboard million growth',
    'npm run bench -- growth',
  ])('%s names parts that it has', (command) => {
    const [, parts = ''] =
      /const PARTS = \[([^\]]+)\]/.exec(readFileSync('bench/run.ts', 'utf8')) ?? [];
    const words = command.replace('npm run bench -- ', '').split(' ');
    for (const word of words) expect(parts).toContain(`'${word}'`);
  });
});

describe('npm run demo -- --keep', () => {
  it('leaves a service that answers, until the command that it prints stops it', async () => {
    const kept = await runPrinted('npm run demo -- --keep');
    expect(kept.code, kept.output).toBe(0);
    const [, url = ''] = /still running: (\S+)/.exec(kept.output) ?? [];
    const [, folder = ''] = /npm run demo -- --stop (\S+)/.exec(kept.output) ?? [];
    const ready = await fetch(new URL('/health/ready', url));
    const stopped = await runNode(['--import', 'tsx', 'scripts/demo.ts', '--stop', folder], here);
    expect(ready.status).toBe(200);
    expect([stopped.code, stopped.output]).toEqual([0, expect.stringContaining('stopped ')]);
    await expect(fetch(new URL('/health/ready', url))).rejects.toThrow();
  }, 240_000);
});
