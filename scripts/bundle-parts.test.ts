import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { refreshPrograms } from './bundle-parts';

const home = mkdtempSync(join(tmpdir(), 'quittance-programs-'));
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('a program that a stack runs from stays in place when two starts bundle a newer one', async () => {
  const source = join(home, 'source.ts');
  const dir = join(home, 'parts');
  const program = join(dir, 'one.mjs');
  writeFileSync(source, 'console.log(1);');
  await refreshPrograms({ one: source }, dir);
  writeFileSync(source, 'console.log(2);');
  writeFileSync(join(dir, 'sources.sha256'), 'of older sources');
  const both = Promise.all([1, 2].map(() => refreshPrograms({ one: source }, dir)));
  let isOver = false;
  let wasMissing = false;
  const watching = (async () => {
    for (; !isOver; await sleep(1)) wasMissing ||= !existsSync(program);
  })();
  await both;
  isOver = true;
  await watching;
  expect(wasMissing).toBe(false);
  expect(readFileSync(program, 'utf8')).toContain('console.log(2)');
  expect(readdirSync(dir).sort()).toEqual(['one.mjs', 'sources.sha256']);
});

it('a program that cannot be bundled leaves no files', async () => {
  const source = join(home, 'broken.ts');
  const dir = join(home, 'parts');
  mkdirSync(home, { recursive: true });
  writeFileSync(source, 'const = ;');
  await expect(refreshPrograms({ one: source }, dir)).rejects.toThrow(/Build failed/);
  expect(readdirSync(dir)).toEqual([]);
});
