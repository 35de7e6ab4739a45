import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const GENERATES = 'npm run --silent generate && ';
const CLIENT = 'generated/prisma/client.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const withProgram = Object.entries(scripts).flatMap(([name, command]) => {
  const file = /\S+\.ts\b/.exec(command)?.[0];
  return file === undefined ? [] : [{ name, command, file }];
});

/**
 * Commands that docs/settings.md and docs/operation ask an operator to run. None of them needs the
 * embedded stack.
 */
const OPERATOR_COMMANDS = new Set([
  ...['start', 'build', 'migrate', 'doctor', 'tree:create', 'storage:fund', 'backup', 'admin'],
  ...['generate', 'verify', 'audit'],
]);

/** Files that a command loads only when NETWORK is `local`. */
const LOCAL_ONLY = new Set([
  ...['devnet/settings.ts', 'scripts/start-embedded.ts', 'scripts/embedded-database.ts'],
]);

/** The files that are loaded before the first line of a program runs. */
const loadedFirst = (file: string) => loadedBy(file, ({ kind }) => kind === 'import-statement');

/** The files that a program may load on devnet and mainnet. */
const loadedOnCluster = (file: string) =>
  loadedBy(file, ({ kind, path }) => kind === 'import-statement' || !LOCAL_ONLY.has(path));

async function loadedBy(
  file: string,
  follows: (edge: { kind: string; path: string }) => boolean,
): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'unused',
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['*.node'],
    logLevel: 'silent',
  });
  const loaded = new Set<string>();
  const queue = [file];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (loaded.has(next)) continue;
    loaded.add(next);
    for (const edge of metafile.inputs[next]?.imports ?? [])
      if (follows(edge)) queue.push(edge.path);
  }
  return loaded;
}

describe('a clone with its packages alone', () => {
  it('has scripts to check', () => {
    expect(withProgram.length).toBeGreaterThanOrEqual(14);
  });

  it.each(withProgram)('can run npm run $name', async ({ name, command, file }) => {
    const needsClient = (await loadedFirst(file)).has(CLIENT);
    expect(needsClient && !command.startsWith(GENERATES), `${name} loads ${CLIENT}`).toBe(false);
  });

  it('builds the service in every program that starts it', async () => {
    const programs = await Promise.all(
      withProgram.map(async ({ name, file }) => ({
        name,
        loaded: await loadedBy(file, () => true),
      })),
    );
    const starting = programs.filter(({ loaded }) => loaded.has('scripts/run-service.ts'));
    expect(starting.map(({ name }) => name)).toEqual(expect.arrayContaining(['demo', 'bench:web']));
    for (const { name, loaded } of starting) expect(loaded, name).toContain('scripts/build-app.ts');
  });

  it('loads nothing of the embedded stack for a command that an operator runs on devnet or mainnet', async () => {
    const operators = withProgram.filter(({ name }) => OPERATOR_COMMANDS.has(name));
    expect(operators).toHaveLength(OPERATOR_COMMANDS.size);
    for (const { name, file } of operators) {
      const embedded = [...(await loadedOnCluster(file))].filter((path) =>
        path.startsWith('devnet/'),
      );
      expect(embedded, name).toEqual([]);
    }
  });

  it('can run any of the tests: their preparation needs no database client', async () => {
    for (const file of ['tests/harness/global-setup.ts', 'tests/harness/build-setup.ts'])
      expect([...(await loadedFirst(file))]).not.toContain(CLIENT);
  });
});
