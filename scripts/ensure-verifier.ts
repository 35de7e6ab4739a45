import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnv } from './environment';
import { hashSources, isStamped } from './hash-files';

const HOME = 'packages/verify';
const SOURCES = ['src', 'package.json', 'build.mjs', 'README.md', 'LICENSE'].map((name) =>
  join(HOME, name),
);
const BUNDLE = join(HOME, 'dist/quittance-verify.mjs');
const STAMP = join(HOME, 'dist/sources.sha256');

/**
 * The path of the offline verifier as one file, with its package (`.tgz`) beside it. Builds it when
 * it is missing or older than its sources.
 */
export function ensureVerifier(): string {
  const hash = hashSources(SOURCES);
  if (existsSync(BUNDLE) && isStamped(STAMP, hash)) return BUNDLE;
  const made = spawnSync(process.execPath, [join(HOME, 'build.mjs')], {
    env: childEnv({}),
    encoding: 'utf8',
  });
  if (made.status !== 0)
    throw new Error(`the verifier was not built:\n${made.stdout}${made.stderr}`);
  writeFileSync(STAMP, hash);
  return BUNDLE;
}
