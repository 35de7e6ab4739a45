import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endGroup, forgetPid, notePid } from './stack-pids';

/** On a busy machine, a start that needs two seconds may take this long. */
const READY_TIMEOUT_MS = 120_000;

/** A program of the stack in its own process (group). */
export type Part = {
  name: string;
  pid(): number | null;
  /** Starts it and returns when it is ready. Throws with the end of its log when it fails. */
  start(): Promise<void>;
  /** Ends it: asks, then kills. */
  stop(): Promise<void>;
  /** Ends it at once, like a crash, and does not restart it. */
  kill(): Promise<void>;
  /** The file of its output. Null: this process's own output. */
  logFile: string | null;
};

export type PartOptions = {
  name: string;
  /** Arguments for Node. */
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Null for no file. The output then goes to this process's own, and `healthUrl` is needed. */
  logFile: string | null;
  runDir: string;
  /** Ready when this URL answers 200. Without a URL, when the log has a line `ready ...`. */
  healthUrl?: string;
  /** Called when it ends unexpectedly. */
  onCrash?(how: string): void;
  /** How long it may take to end when asked, before it is killed. */
  patienceMs?: number;
};

export function createPart(o: PartOptions): Part {
  let child: ChildProcess | null = null;
  let wanted = false;

  const launch = (): { child: ChildProcess; logStart: number } => {
    const log = o.logFile === null ? null : openLog(o.logFile);
    const output = log?.fd ?? 'inherit';
    // Its own process group: Ctrl-C in the terminal reaches only the launcher, which ends the parts
    // in order.
    const started = spawn(process.execPath, o.args, {
      env: o.env,
      detached: true,
      stdio: ['ignore', output, output],
    });
    if (log) closeSync(log.fd);
    if (started.pid !== undefined) notePid({ runDir: o.runDir, name: o.name, pid: started.pid });
    started.once('exit', (code, signal) => {
      if (child !== started) return;
      child = null;
      forgetPid({ runDir: o.runDir, name: o.name });
      if (wanted) o.onCrash?.(signal ?? `code ${code ?? '?'}`);
    });
    return { child: started, logStart: log?.size ?? 0 };
  };

  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    wanted = false;
    if (child?.pid === undefined) return;
    await endGroup(child.pid, signal, o.patienceMs);
    child = null;
    forgetPid({ runDir: o.runDir, name: o.name });
  };

  return {
    name: o.name,
    logFile: o.logFile,
    pid: () => child?.pid ?? null,
    start: async () => {
      const launched = launch();
      child = launched.child;
      // Before it is ready, a failure is reported here and not as a crash.
      wanted = false;
      await waitUntilReady(o, launched);
      wanted = true;
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

function openLog(file: string): { fd: number; size: number } {
  mkdirSync(dirname(file), { recursive: true });
  return { fd: openSync(file, 'a'), size: statSync(file).size };
}

async function waitUntilReady(
  o: PartOptions,
  launched: { child: ChildProcess; logStart: number },
): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  const { logFile } = o;
  const log = () =>
    logFile === null ? '' : readFileSync(logFile).subarray(launched.logStart).toString('utf8');
  const fail = (what: string) => {
    const tail = log()
      .trim()
      .split('\n')
      .slice(-10)
      .map((line) => line.slice(0, 300))
      .join('\n');
    return new Error(`${o.name} ${what}.${logFile ? ` The end of ${logFile}:\n${tail}` : ''}`);
  };
  for (;;) {
    if (launched.child.exitCode !== null || launched.child.signalCode !== null)
      throw fail('ended during its start');
    if (o.healthUrl === undefined ? /^ready /m.test(log()) : await answers(o.healthUrl)) return;
    if (Date.now() > deadline) throw fail(`was not ready within ${READY_TIMEOUT_MS / 1000} s`);
    await sleep(50);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).status === 200;
  } catch {
    return false;
  }
}
