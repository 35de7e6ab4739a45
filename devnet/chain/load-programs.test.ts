import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUBBLEGUM } from './bubblegum/program-ids';
import { Chain } from './chain';
import { loadPrograms } from './load-programs';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'programs-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('without program files Bubblegum is emulated and appears as a program', () => {
  const chain = new Chain();
  expect(loadPrograms(chain, folder)).toEqual([]);
  expect(chain.emulators.has(BUBBLEGUM)).toBe(true);
  expect(chain.get(BUBBLEGUM)?.executable).toBe(true);
});

test('a folder that lacks some of the real programs is refused, and the error names them', () => {
  writeFileSync(join(folder, 'mpl_bubblegum.so'), '');
  expect(() => loadPrograms(new Chain(), folder)).toThrow(
    /lacks mpl_account_compression\.so, mpl_noop\.so/,
  );
});
