import { join } from 'node:path';
import { childEnv, DevnetSettingsError, loadDotEnv, settings } from '@/devnet/settings';
import { stopNoted } from '@/devnet/stack-pids';
import { superviseParts } from '@/devnet/stack-supervise';
import { migrate } from '@/prisma/migrate';
import { parseEnv, SettingsError } from '@/server/env';
import { awaitHealth } from './await-health';
import { buildApp } from './build-app';
import { ensureGenerated } from './ensure-generated';
import { ensureVerifier } from './ensure-verifier';
import { onStopRequest } from './on-stop-request';
import { refuseEmbeddedDatabase } from './refuse-embedded-database';
import { createAppPart, MIGRATIONS, runService } from './run-service';

type Running = { baseUrl: string; close(): Promise<void> };

/** `npm start` and `npm run dev`: runs until asked to end, then ends all that it started. */
export async function launch(mode: 'start' | 'dev'): Promise<void> {
  const stopped = new AbortController();
  const say = (line: string) => console.log(line);
  let running: Running | null = null;
  try {
    loadDotEnv();
    ensureGenerated();
    if (mode === 'dev') ensureVerifier();
    const { network, dataDir, appPort } = settings();
    const local = network === 'local';
    const end = async (code: number) => {
      stopped.abort();
      // Before everything runs there is only what is noted; its end makes the start give up.
      await (running ? running.close() : stopNoted(join(dataDir, 'run')));
      if (running) process.exit(code);
    };
    onStopRequest((why) => {
      say(`stopping (${why})`);
      void end(0);
    });
    const onFatal = (line: string) => {
      console.error(line);
      void end(1);
    };
    const options = { mode, say, onFatal, signal: stopped.signal };
    running = local
      ? await runService({ ...options, showOutput: mode === 'dev' })
      : await runOnCluster({ ...options, dataDir });
    if (!local) await awaitHealth({ ...options, origin: `http://127.0.0.1:${appPort}` });
    stopped.signal.throwIfAborted();
    if (local) say('LOCAL TEST CHAIN: these receipts are NOT real and nothing here has any value.');
    say(`ready ${running.baseUrl}`);
  } catch (error) {
    if (stopped.signal.aborted) {
      await running?.close();
      process.exit(0);
    }
    const bad = error instanceof SettingsError || error instanceof DevnetSettingsError;
    for (const line of bad ? error.lines : [message(error)]) console.error(line);
    process.exit(1);
  }
}

/** On devnet and mainnet nothing is embedded: settings, migrations, app. */
async function runOnCluster(o: {
  mode: 'start' | 'dev';
  dataDir: string;
  say(line: string): void;
  onFatal(line: string): void;
  signal: AbortSignal;
}): Promise<Running> {
  const env = parseEnv(childEnv({}));
  await refuseEmbeddedDatabase(env.databaseUrl);
  const distDir = o.mode === 'start' ? await buildApp(o.say) : '';
  for (const name of await migrate({ databaseUrl: env.databaseUrl, dir: MIGRATIONS }))
    o.say(`migrated ${name}`);
  o.signal.throwIfAborted();
  const supervisor = superviseParts(o);
  const app = createAppPart({
    mode: o.mode,
    distDir,
    env: childEnv({}),
    drainMs: env.drainMs,
    port: env.port,
    host: null,
    logFile: null,
    runDir: join(o.dataDir, 'run'),
    onCrash: (how) => void supervisor.restart(app, how),
  });
  const close = async () => {
    supervisor.stop();
    await app.stop();
  };
  await app.start();
  return { baseUrl: env.publicUrl, close };
}

const message = (error: unknown) => (error instanceof Error ? error.message : String(error));
