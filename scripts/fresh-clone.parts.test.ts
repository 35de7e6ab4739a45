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

/** The files that are loaded before the first line of a program runs. */
async function loadedFirst(file: string): Promise<Set<string>> {
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
    for (const { path, kind } of metafile.inputs[next]?.imports ?? [])
      if (kind === 'import-statement') queue.push(path);
  }
  return loaded;
}

describe('a clone that has its packages and nothing else', () => {
  it('has scripts to look at', () => {
    expect(withProgram.length).toBeGreaterThanOrEqual(14);
  });

  it.each(withProgram)('can run npm run $name', async ({ name, command, file }) => {
    const needsClient = (await loadedFirst(file)).has(CLIENT);
    expect(needsClient && !command.startsWith(GENERATES), `${name} loads ${CLIENT}`).toBe(false);
  });

  it('can run any of the tests: what prepares them needs no database client', async () => {
    for (const file of ['tests/harness/global-setup.ts', 'tests/harness/build-setup.ts'])
      expect([...(await loadedFirst(file))]).not.toContain(CLIENT);
  });
});
