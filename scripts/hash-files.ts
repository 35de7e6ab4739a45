import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Short hash over the names and contents of files and folders. Missing ones count as empty. */
export function hashFiles(paths: string[], keep: (path: string) => boolean = () => true): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(listFiles).filter(keep).sort()) {
    const content = readFileSync(path);
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 12);
}

/** Short hash over the sources of a build, without tests. */
export function hashSources(paths: string[]): string {
  return hashFiles(paths, (path) => !/\.test\.tsx?$/.test(path));
}

/** Whether the files beside a stamp were built from sources of this hash. */
export function isStamped(stamp: string, hash: string): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

function listFiles(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  if (stat.isFile()) return [path];
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)));
}
