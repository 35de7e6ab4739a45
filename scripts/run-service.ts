import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { childEnv, parseSettings } from '@/devnet/settings';
import { startStack, type Stack } from '@/devnet/stack';
import { createPart, type Part } from '@/devnet/stack-part';
import { refuseSecondLauncher } from '@/devnet/stack-pids';
import { superviseParts } from '@/devnet/stack-supervise';
import { migrate } from '@/prisma/migrate';
import { parseEnv } from '@/server/env';
import { awaitFunctions } from './await-functions';
import { awaitHealth } from './await-health';
import { buildApp, holdBuild } from './build-app';
import { bundleParts } from './bundle-parts';

export const MIGRATIONS = 'prisma/migrations';
const READY_TIMEOUT_MS = 120_000;

export type Service = {
  baseUrl: string;
  stack: Stack;
  app: Part;
  /** Ends the app, then the stack. */
  close(): Promise<void>;
};

/**
 * The whole service on the embedded stack: build if the sources changed, stack, migrations, tree, app.
 * Returns when every part that GET /health names is there. `signal` gives up between the steps.
 */
export async function runService(o: {
  mode: 'start' | 'dev';
  /** Changes to this process's environment. */
  env?: Record<string, string>;
  durable?: boolean;
  /** A build that is made already. */
  distDir?: string;
  /** Shows the app's output here instead of keeping it in a file. */
  showOutput?: boolean;
  say(line: string): void;
  onFatal(line: string): void;
  signal?: AbortSignal;
}): Promise<Service> {
  const { dataDir } = parseSettings(childEnv(o.env ?? {}));
  refuseSecondLauncher(join(dataDir, 'run'));
  const distDir = o.distDir ?? (o.mode === 'start' ? await buildApp(o.say) : '');
  o.signal?.throwIfAborted();
  const partsDir = distDir === '' ? null : await bundleParts(distDir);
  const stack = await startStack({
    ...o,
    partsDir,
    onDatabase: async (databaseUrl) => {
      for (const name of await migrate({ databaseUrl, dir: MIGRATIONS })) o.say(`migrated ${name}`);
    },
  });
  const supervisor = superviseParts(o);
  const env = childEnv({ ...o.env, ...stack.appEnv });
  const app = createAppPart({
    mode: o.mode,
    distDir,
    env,
    drainMs: parseEnv(env).drainMs,
    port: stack.settings.appPort,
    host: '127.0.0.1',
    logFile: o.showOutput ? null : join(stack.settings.dataDir, 'logs', 'app.log'),
    runDir: stack.runDir,
    onCrash: (how) => void supervisor.restart(app, how),
  });
  const baseUrl = `http://127.0.0.1:${stack.settings.appPort}`;
  const close = async () => {
    supervisor.stop();
    await app.stop();
    await stack.close();
  };
  try {
    o.signal?.throwIfAborted();
    await Promise.all([ensureTree({ env, partsDir }), app.start()]);
    if (distDir !== '') holdBuild(distDir, app.pid() ?? process.pid);
    await awaitHealth({ ...o, origin: baseUrl, timeoutMs: READY_TIMEOUT_MS });
    if (stack.parts.runner) {
      const runnerUrl = stack.settings.runner.url;
      await awaitFunctions({ ...o, runnerUrl, timeoutMs: READY_TIMEOUT_MS });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { baseUrl, stack, app, close };
}

/** Longer than load balancers keep idle connections, so that they never send into a closing one. */
const KEEP = ['--keepAliveTimeout', '65000'];

/** A little longer than the app gives its requests to end, once it has drained. */
const STOP_MS = 30_000;

/** Megabytes for young objects: requests make many and keep few, and twice the default halves the clearing. */
const YOUNG = ['--max-semi-space-size=32'];

/** Megabytes for old ones: with this limit the heap grows to half as much again as it needs, else to three times. */
const OLD = ['--max-old-space-size=1024'];

/** The app as a process: a production build, or the development server. */
export function createAppPart(o: {
  mode: 'start' | 'dev';
  distDir: string;
  env: NodeJS.ProcessEnv;
  /** How long it goes on taking requests when it is asked to end. */
  drainMs: number;
  port: number;
  /** Null listens on every address. */
  host: string | null;
  logFile: string | null;
  runDir: string;
  onCrash(how: string): void;
}): Part {
  const listen = ['--port', String(o.port), ...(o.host === null ? [] : ['--hostname', o.host])];
  return createPart({
    name: 'app',
    args: [
      ...YOUNG,
      // The development server compiles in the same process.
      ...(o.mode === 'start' ? OLD : []),
      'node_modules/next/dist/bin/next',
      o.mode,
      ...listen,
      ...(o.mode === 'start' ? KEEP : []),
    ],
    env: {
      ...o.env,
      NODE_ENV: o.mode === 'start' ? 'production' : 'development',
      NEXT_DIST_DIR: o.distDir,
      NEXT_TELEMETRY_DISABLED: '1',
      // server/start/stop-on-request.ts does it, with a bound.
      ...(o.mode === 'start' ? { NEXT_MANUAL_SIG_HANDLE: '1' } : {}),
    },
    patienceMs: o.drainMs + STOP_MS,
    logFile: o.logFile,
    runDir: o.runDir,
    healthUrl: `http://127.0.0.1:${o.port}/health/live`,
    onCrash: o.onCrash,
  });
}

/** Creates the embedded chain's first tree when the database knows none. */
async function ensureTree(o: { env: NodeJS.ProcessEnv; partsDir: string | null }): Promise<void> {
  let output = '';
  const program = o.partsDir
    ? [join(o.partsDir, 'tree-create.mjs')]
    : ['--import', 'tsx', 'scripts/tree-create.ts'];
  const child = spawn(process.execPath, [...program, '--if-none', '--yes'], {
    env: o.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`The tree could not be created:\n${output}`);
}
