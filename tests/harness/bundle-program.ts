import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { bundleParts, bundlePrograms, PARTS, partsFolder } from '@/scripts/bundle-parts';

/** Its folders are named after the state of the sources. Folders of other states are removed. */
const CACHE = 'node_modules/.cache/test-programs';

/**
 * The path of one file with a program of this repository and all its imports, made once for each
 * state of the sources. Starting it takes a fifth of the work that loading the sources takes.
 */
export async function bundleProgram(entry: string): Promise<string> {
  const name = basename(entry, '.ts');
  const dir = join(cache(), `${dirname(entry)}/${name}`.replaceAll('/', '-'));
  return resolve(await bundlePrograms({ [name]: entry }, dir), `${name}.mjs`);
}

/** The folder with the programs of the embedded stack, one file for each. */
export const bundledParts = async (): Promise<string> => {
  await bundleParts();
  return PARTS;
};

function cache(): string {
  const current = partsFolder();
  for (const name of existsSync(CACHE) ? readdirSync(CACHE) : [])
    if (name !== current) rmSync(join(CACHE, name), { recursive: true, force: true });
  return join(CACHE, current);
}
