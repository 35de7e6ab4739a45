import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** How long a part may take to save its state before it is killed. */
const PATIENCE_MS = 8_000;
const LAUNCHER = 'launcher';

const record = z.object({
  pid: z.number().int().positive(),
  /** Start time of the process. Numbers are reused, but the pair is unique. */
  started: z.string(),
  signal: z.enum(['SIGTERM', 'SIGINT']),
});
type PidRecord = z.infer<typeof record>;

/**
 * Notes a process under `<runDir>/<name>.json`, so that a later start finds it if this one is
 * killed.
 */
export function notePid(o: {
  runDir: string;
  name: string;
  pid: number;
  signal?: PidRecord['signal'];
}): void {
  mkdirSync(o.runDir, { recursive: true });
  const entry: PidRecord = {
    pid: o.pid,
    started: startOf(o.pid) ?? '',
    signal: o.signal ?? 'SIGTERM',
  };
  writeFileSync(join(o.runDir, `${o.name}.json`), JSON.stringify(entry));
}

/** Forgets a process that has ended. */
export function forgetPid(o: { runDir: string; name: string }): void {
  rmSync(join(o.runDir, `${o.name}.json`), { force: true });
}

/** The noted process if it is still the same one, else null. */
function findPid(o: { runDir: string; name: string }): number | null {
  const entry = readRecord(o);
  return entry && startOf(entry.pid) === entry.started ? entry.pid : null;
}

/**
 * Makes this process the launcher of a data folder. Refuses when another launcher lives. Ends the
 * processes that a killed launcher left, the users of the database before the database, and returns
 * their names.
 */
export async function claimRunDir(runDir: string): Promise<string[]> {
  refuseSecondLauncher(runDir);
  const stopped = await stopNoted(runDir);
  notePid({ runDir, name: LAUNCHER, pid: process.pid });
  return stopped;
}

/** Throws when another process runs the stack of this data folder. */
export function refuseSecondLauncher(runDir: string): void {
  const launcher = findPid({ runDir, name: LAUNCHER });
  if (launcher !== null && launcher !== process.pid)
    throw new Error(
      `The stack of ${dirname(runDir)} is already running (process ${launcher}). ` +
        'Stop it first, or set QUITTANCE_DATA_DIR and the ports to run a second one.',
    );
}

/** The opposite of {@link claimRunDir}, after every process has ended. */
export function releaseRunDir(runDir: string): void {
  forgetPid({ runDir, name: LAUNCHER });
}

/** Ends every noted process but the launcher, the users of the database before the database. */
export async function stopNoted(runDir: string): Promise<string[]> {
  mkdirSync(runDir, { recursive: true });
  const names = readdirSync(runDir)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .filter((name) => name !== LAUNCHER);
  const order = (name: string) => (name === 'postgres' ? 1 : 0);
  const stopped: string[] = [];
  for (const name of names.sort((a, b) => order(a) - order(b))) {
    const pid = findPid({ runDir, name });
    if (pid !== null) {
      await endGroup(pid, readRecord({ runDir, name })?.signal ?? 'SIGTERM');
      stopped.push(name);
    }
    forgetPid({ runDir, name });
  }
  return stopped;
}

/** Asks a process to end, then kills it and its whole group. Returns when it is gone. */
export async function endGroup(
  pid: number,
  signal: NodeJS.Signals,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  signalTo(pid, signal);
  for (let waitedMs = 0; startOf(pid) !== null && waitedMs < patienceMs; waitedMs += 20)
    await sleep(20);
  // Its children may have outlived it.
  signalTo(-pid, 'SIGKILL');
  while (startOf(pid) !== null) await sleep(20);
}

function signalTo(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function readRecord(o: { runDir: string; name: string }): PidRecord | null {
  try {
    return record.parse(JSON.parse(readFileSync(join(o.runDir, `${o.name}.json`), 'utf8')));
  } catch {
    // Incomplete if its launcher was killed.
    return null;
  }
}

/** Start time of a living process in the system's format. Null when there is none (or a zombie). */
function startOf(pid: number): string | null {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields after the name, which may contain blanks: state is the first, start time the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
