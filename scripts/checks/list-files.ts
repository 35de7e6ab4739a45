import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Files of the repository, new ones included, ignored and deleted ones not. */
export function listFiles(): string[] {
  const git = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  return execFileSync('git', git, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\0')
    .filter((file) => file !== '' && existsSync(file));
}
