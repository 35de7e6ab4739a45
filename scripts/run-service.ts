import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseSettings } from '@/devnet/settings';
import { childEnv } from './environment';
import { startStack, type Stack } from '@/devnet/stack';
import { createPart, type Part } from '@/devnet/stack-part';
import { refuseSecondLauncher } from '@/devnet/stack-pids';
import { superviseParts } from '@/devnet/stack-supervise';
import { migrate, MIGRATIONS } from '@/prisma/migrate';
import { parseEnv } from '@/server/env';
import { awaitFunctions } from './await-functions';
import { awaitHealth } from './await-health';
import { PARTS } from './bundle-parts';
import { nextProcess, STOP_MS } from './next-process';

const READY_TIMEOUT_MS = 120_000;

export type Service = {
  baseUrl: string;
  stack: Stack;
  app: Part;
  /** Ends the app, then the stack. */
  close(): Promise<void>;
};

/**
 * The whole service on the embedded stack: stack, migrations, tree, app. Mode `start` runs the
 * files of `buildForStack`. Returns when every part in GET /health is up. `signal` cancels it
 * between the steps.
 */
export async function runService(o: {
  mode: 'start' | 'dev';
  /** Changes to this process's environment. */
  env?: Record<string, string>;
  durable?: boolean;
  /** Shows the app's output here instead of writing it to a file. */
  showOutput?: boolean;
  say(line: string): void;
  onFatal(line: string): void;
  signal?: AbortSignal;
}): Promise<Service> {
  const { dataDir } = parseSettings(childEnv(o.env ?? {}));
  refuseSecondLauncher(join(dataDir, 'run'));
  // The development server has no build beside it.
  const partsDir = o.mode === 'start' ? PARTS : null;
  const stack = await startStack({
    ...o,
    env: childEnv(o.env ?? {}),
    partsDir,
    onDatabase: async (databaseUrl) => {
      for (const name of await migrate({ databaseUrl, dir: MIGRATIONS })) o.say(`migrated ${name}`);
    },
  });
  const supervisor = superviseParts(o);
  const env = childEnv({ ...o.env, ...stack.appEnv });
  const app = createAppPart({
    mode: o.mode,
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

/** The app process: a production build, or the development server. */
export function createAppPart(o: {
  mode: 'start' | 'dev';
  env: NodeJS.ProcessEnv;
  /** How long it still accepts requests after it is asked to stop. */
  drainMs: number;
  port: number;
  /** Null listens on every address. */
  host: string | null;
  logFile: string | null;
  runDir: string;
  onCrash(how: string): void;
}): Part {
  return createPart({
    name: 'app',
    ...nextProcess(o),
    patienceMs: o.drainMs + STOP_MS,
    logFile: o.logFile,
    runDir: o.runDir,
    healthUrl: `http://127.0.0.1:${o.port}/health/live`,
    onCrash: o.onCrash,
  });
}

/** Creates the embedded chain's first tree when the database has none. */
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
