import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { bundleProgram } from '@/tests/harness/bundle-program';
import { freePort } from '../free-port';
import { ensureDatabase, startPostgres } from '../postgres/start-postgres';
import type { RunnerOptions } from './runner';
import { startRunner } from './start-runner';

type Run = { run_id: string; status: string; output: unknown; attempt: number; last_error: string };

/**
 * A database, the app of `app.fixture.ts` in a separate process, and a runner. The runner is in
 * this process or, with `ownProcess`, in one that can be killed.
 */
export async function startBench(
  o: Partial<RunnerOptions> & {
    ownProcess?: boolean;
    appEnv?: Record<string, string>;
    /** Whether PostgreSQL must keep what it committed when it is killed. */
    durable?: boolean;
  } = {},
) {
  const dir = mkdtempSync(join(tmpdir(), 'runner-test-'));
  // PostgreSQL runs as another user when this one is root.
  chmodSync(dir, 0o755);
  const journal = join(dir, 'journal');
  writeFileSync(journal, '');
  const pgOptions = {
    dataDir: join(dir, 'postgres'),
    port: await freePort(),
    durable: o.durable ?? false,
  };
  let postgres = await startPostgres(pgOptions);
  await ensureDatabase(postgres, 'jobs');
  const [port, appPort] = [await freePort(), await freePort()];
  const { ownProcess, appEnv } = o;
  const options: RunnerOptions = {
    databaseUrl: postgres.url('jobs'),
    port,
    appUrl: `http://127.0.0.1:${appPort}/api/inngest`,
    backoffMs: 50,
    // A machine that stops for a moment must not lose a lease.
    leaseMs: 5_000,
    graceMs: 4_000,
    pollMs: 300,
    log: process.env.VERBOSE ? (line) => console.log(line) : () => undefined,
    ...o,
  };
  const url = `http://127.0.0.1:${port}`;
  const app = startChild(
    await bundleProgram('devnet/runner/app.fixture.ts'),
    [appPort, journal, url],
    {
      INNGEST_SIGNING_KEY: options.signingKey ?? '',
      INNGEST_EVENT_KEY: options.eventKey ?? 'test',
      ...appEnv,
    },
  );
  const runner = ownProcess
    ? startChild(await bundleProgram('devnet/runner/runner.fixture.ts'), [JSON.stringify(options)])
    : null;
  let inProcess = ownProcess ? null : await startRunner(options);
  const pool = new Pool({ connectionString: options.databaseUrl });
  pool.on('error', () => undefined);

  const json = async (path: string, init?: RequestInit) => {
    const res = await fetch(`${url}${path}`, init);
    const text = await res.text();
    return { status: res.status, body: text ? JSON.parse(text) : null };
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    json(path, { method: 'POST', body: JSON.stringify(body), headers });

  return {
    url,
    app,
    runner,
    pool,
    options,
    get: json,
    post,
    send: (name: string, data: object, more: object = {}) =>
      post(`/e/${options.eventKey ?? 'test'}`, { name, data, ...more }),
    /** The rest of each journal line of the app that begins with `words`. */
    notes: (...words: unknown[]) => readJournal(journal, words.join(' ')),
    runs: async (fn: string) =>
      (
        await pool.query<Run>(
          `select id as run_id, status, output, attempt, last_error from runner.runs
           where fn_id = $1 order by created_at, id`,
          [`app-${fn}`],
        )
      ).rows,
    /** Waits until no run is open. */
    idle: (timeoutMs?: number) =>
      until(async () => {
        const { due, leased, later } = (await json('/_queue')).body;
        return due + leased + later === 0;
      }, timeoutMs),
    synced: () => until(async () => (await json('/health')).body.functions > 0),
    async killPostgres() {
      process.kill(postgres.pid, 'SIGKILL');
      await until(() => !isAlive(postgres.pid));
      postgres = await startPostgres(pgOptions);
    },
    async restartRunner() {
      await inProcess?.close();
      inProcess = await startRunner(options);
    },
    async close() {
      await app.kill();
      await runner?.kill();
      await inProcess?.close();
      await pool.end();
      await postgres.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A child process that can be killed with SIGKILL and started again. */
function startChild(program: string, args: unknown[], env: Record<string, string> = {}) {
  let child: ChildProcess | null = null;
  const start = () => {
    child = spawn(process.execPath, [program, ...args.map(String)], {
      env: { ...process.env, ...env },
      stdio: process.env.VERBOSE ? 'inherit' : 'ignore',
    });
  };
  start();
  return {
    start,
    pid: () => child?.pid ?? 0,
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

function readJournal(file: string, words: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => `${line} `.startsWith(`${words} `))
    .map((line) => line.slice(words.length + 1));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until `read` returns a truthy value. */
export async function until<T>(
  read: () => T | Promise<T>,
  timeoutMs = 120_000,
): Promise<Exclude<T, null | undefined | false>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await Promise.resolve()
      .then(read)
      .catch(() => null);
    if (value) return value as Exclude<T, null | undefined | false>;
    if (Date.now() > deadline)
      throw new Error(`waited ${timeoutMs} ms without success: ${read.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
