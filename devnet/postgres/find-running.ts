import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export type Running = { pid: number; port: number };

/**
 * The server that runs on a data folder, or null. A `postmaster.pid` left by a killed server is
 * removed if its number now belongs to another program. PostgreSQL clears the other cases on its
 * own.
 */
export function findRunning(dataDir: string): Running | null {
  const file = join(dataDir, 'postmaster.pid');
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    return null;
  }
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (commandOf(pid).includes(` -D ${dataDir} -p `)) return { pid, port };
  rmSync(file, { force: true });
  return null;
}

/** Whether a process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Command line of a process. Empty when there is none. */
function commandOf(pid: number): string {
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return '';
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
