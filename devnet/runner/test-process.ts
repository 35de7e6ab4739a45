import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A child process of a test, killed hard and started again at will. */
export function startChild(script: string, args: string[], env: Record<string, string> = {}) {
  let child: ChildProcess | null = null;
  const start = () => {
    child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
      env: { ...process.env, INNGEST_DEV: '', ...env },
      stdio: ['ignore', process.env.VERBOSE ? 'inherit' : 'ignore', 'inherit'],
    });
  };
  start();
  return {
    start,
    async kill(signal: NodeJS.Signals = 'SIGKILL') {
      const dying = child;
      child = null;
      if (!dying || dying.exitCode !== null || dying.signalCode !== null) return;
      const gone = new Promise((resolve) => dying.once('exit', resolve));
      dying.kill(signal);
      await gone;
    },
  };
}

/** Lines of the app's journal that begin with `words`, the words left out. */
export function readJournal(file: string, ...words: unknown[]): string[] {
  const start = `${words.join(' ')} `;
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => `${line} `)
    .filter((line) => line.startsWith(start))
    .map((line) => line.slice(start.length).trim());
}

/** Waits until `read` gives something other than null, undefined or false. */
export async function until<T>(
  read: () => T | Promise<T>,
  timeoutMs = 20_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await Promise.resolve(read()).catch(() => null);
    if (value !== null && value !== undefined && value !== false) return value;
    if (Date.now() > deadline)
      throw new Error(`waited ${timeoutMs} ms in vain: ${read.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
