import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Files of the repository, including new ones. Ignored and deleted ones are left out. */
export function listFiles(): string[] {
  const git = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  return execFileSync('git', git, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\0')
    .filter((file) => file !== '' && existsSync(file));
}
