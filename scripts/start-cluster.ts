import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrate, MIGRATIONS } from '@/prisma/migrate';
import { parseEnv } from '@/server/env';
import { awaitHealth } from './await-health';
import { refuseStaleBuild } from './build-app';
import { ensureGenerated } from './ensure-generated';
import { ensureVerifier } from './ensure-verifier';
import { childEnv } from './environment';
import { nextProcess, STOP_MS } from './next-process';
import { refuseEmbeddedDatabase } from './refuse-embedded-database';
import type { Place, Running, Start } from './start-place';

/**
 * NETWORK=devnet and mainnet: settings, migrations, then the app. When the app ends, the launcher
 * ends, and its supervisor (a container, systemd) starts it again. Nothing is embedded. Mode
 * `start` builds nothing. Mode `dev` has no build, so it makes the database client and the verifier
 * first.
 */
export function cluster(): Place {
  return { start: startOnCluster, interrupt: () => Promise.resolve(), warning: null };
}

async function startOnCluster(o: Start): Promise<Running> {
  if (o.mode === 'dev') {
    ensureGenerated();
    ensureVerifier();
  }
  const env = parseEnv(childEnv({}));
  if (o.mode === 'start') refuseStaleBuild();
  await refuseEmbeddedDatabase(env.databaseUrl);
  for (const name of await migrate({ databaseUrl: env.databaseUrl, dir: MIGRATIONS }))
    o.say(`migrated ${name}`);
  o.signal.throwIfAborted();
  const { args, env: appEnv } = nextProcess({
    mode: o.mode,
    env: childEnv({}),
    port: env.port,
    host: null,
  });
  // Its own process group: Ctrl-C in the terminal reaches only the launcher, which lets the app
  // drain.
  const app = spawn(process.execPath, args, { env: appEnv, detached: true, stdio: 'inherit' });
  const ended = new AbortController();
  // A failure of the start is thrown, not reported.
  let isWanted = false;
  app.once('exit', (code, signal) => {
    ended.abort();
    if (isWanted) o.onFatal(`the app ended (${signal ?? `code ${code ?? '?'}`})`);
  });
  const close = async () => {
    isWanted = false;
    await endApp(app, env.drainMs + STOP_MS);
  };
  try {
    await awaitHealth({
      origin: `http://127.0.0.1:${env.port}`,
      say: o.say,
      signal: AbortSignal.any([o.signal, ended.signal]),
    });
    ended.signal.throwIfAborted();
    isWanted = true;
  } catch (error) {
    await close();
    throw ended.signal.aborted ? new Error('the app ended during its start') : error;
  }
  return { baseUrl: env.publicUrl, close };
}

/** Asks the app to end, and kills it with its children after `patienceMs`. */
async function endApp(app: ChildProcess, patienceMs: number): Promise<void> {
  const { pid } = app;
  if (pid === undefined || app.exitCode !== null || app.signalCode !== null) return;
  const exited = once(app, 'exit');
  app.kill('SIGTERM');
  const patience = setTimeout(() => process.kill(-pid, 'SIGKILL'), patienceMs);
  await exited;
  clearTimeout(patience);
}
