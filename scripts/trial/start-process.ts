import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnv } from '../environment';

export type Program = {
  name: string;
  args: string[];
  cwd: string;
  /** Its whole environment, besides PATH. */
  env: Record<string, string>;
  /** The user that runs it without any privilege. Null is this process's user. */
  uid: number | null;
};

export type Running = { child: ChildProcess; logFile: string; ended: Promise<number | null> };

/** Starts a program of the trial. Its output goes into a file of `logs`. */
export function startProcess(logs: string, program: Program): Running {
  const logFile = join(logs, `${program.name}.log`);
  const output = openSync(logFile, 'a');
  const [command = '', ...args] = [...asUser(program.uid), ...program.args];
  const child = spawn(command, args, {
    cwd: program.cwd,
    // Its own process group, so that a stop reaches its children as well.
    detached: true,
    env: { PATH: childEnv({})['PATH'], NODE_ENV: 'production', ...program.env },
    stdio: ['ignore', output, output],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, logFile, ended };
}

/** Runs a program to its end. Throws with the end of its log unless its code is 0. */
export async function runToEnd(logs: string, program: Program): Promise<string> {
  const running = startProcess(logs, program);
  const code = await running.ended;
  const text = readFileSync(running.logFile, 'utf8');
  if (code !== 0)
    throw new Error(`${program.name} ended with ${code ?? 'a signal'}:\n${text.slice(-3_000)}`);
  return text;
}

/** Like Docker runs the image: another user, no capability, no way to gain one. */
function asUser(uid: number | null): string[] {
  if (uid === null) return [];
  const user = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  return ['setpriv', ...user, '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
}
