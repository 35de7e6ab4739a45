import { join } from 'node:path';
import { isPortFree } from './free-port';
import { isAlive } from './postgres/find-running';
import { ensureDatabase, startPostgres, type Postgres } from './postgres/start-postgres';
import { sampleName } from './rates/sample-rates';
import { DATABASE_NAME, embeddedUrls, parseSettings, type Settings } from './settings';
import { fundKeys } from './stack-fund';
import { ensureKey } from './stack-keys';
import { createPart, type Part } from './stack-part';
import { claimRunDir, forgetPid, notePid, releaseRunDir } from './stack-pids';
import { superviseParts } from './stack-supervise';

const PARTS = ['chain', 'storage', 'runner', 'rates'] as const;
type PartName = (typeof PARTS)[number];

export type Stack = {
  settings: Settings;
  /** Settings of the app on this stack, and of every script that works beside it. */
  appEnv: Record<string, string>;
  databaseUrl: string;
  /** The embedded parts, without those that the user brings. */
  parts: Partial<Record<PartName, Part>>;
  runDir: string;
  /** Ends every part. The data folder keeps their state for the next start. */
  close(): Promise<void>;
};

/**
 * Starts the parts of the embedded stack that the settings do not bring, each in a separate
 * process, and makes their keys. A part that ends unexpectedly is restarted a few times. `onFatal`
 * is called when that does not help. `onDatabase` runs once the database answers.
 */
export async function startStack(o: {
  /** The environment of each part, and the settings. */
  env: NodeJS.ProcessEnv;
  /** False gives up safety of the database against a crash, for speed. */
  durable?: boolean;
  /** The folder with one file for each part, which loads faster than the sources. */
  partsDir?: string | null;
  say(line: string): void;
  onFatal(line: string): void;
  onDatabase?(databaseUrl: string): Promise<void>;
}): Promise<Stack> {
  const settings = parseSettings(o.env);
  const runDir = join(settings.dataDir, 'run');
  const leftovers = await claimRunDir(runDir);
  if (leftovers.length > 0)
    o.say(`stopped what an earlier start left behind: ${leftovers.join(', ')}`);
  await checkPorts(settings);

  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const stop of closers.splice(0).reverse()) await stop();
    releaseRunDir(runDir);
  };
  try {
    const databaseUrl =
      settings.given.databaseUrl ?? (await startDatabase({ settings, runDir, closers, ...o }));
    const migrated = o.onDatabase?.(databaseUrl) ?? Promise.resolve();
    const appEnv = makeAppEnv(settings, databaseUrl);
    const supervisor = superviseParts(o);
    const parts: Stack['parts'] = {};
    for (const name of embedded(settings)) {
      parts[name] = createPart({
        name,
        args: o.partsDir
          ? [join(o.partsDir, `${name}.mjs`)]
          : ['--import', 'tsx', `devnet/${name}/main.ts`],
        env: { ...o.env, ...appEnv, QUITTANCE_DATA_DIR: settings.dataDir },
        logFile: join(settings.dataDir, 'logs', `${name}.log`),
        runDir,
        onCrash: (how) => void supervisor.restart(parts[name], how),
      });
    }
    const started = Object.values(parts);
    closers.push(async () => {
      supervisor.stop();
      await Promise.all(started.map((part) => part.stop()));
    });
    await Promise.all([migrated, ...started.map((part) => part.start())]);
    if (parts.chain) await fundKeys(settings, o.say);
    return { settings, appEnv, databaseUrl, parts, runDir, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function embedded(settings: Settings): PartName[] {
  const brought = {
    chain: settings.given.rpcUrls !== null,
    storage: settings.given.storage,
    runner: settings.given.jobsUrl !== null,
    rates: Object.values(settings.given.rates).every(Boolean),
  };
  return PARTS.filter((name) => !brought[name]);
}

async function checkPorts(settings: Settings): Promise<void> {
  const wanted: [string, number][] = embedded(settings).map((name) => [
    `${name.toUpperCase()}_PORT`,
    settings[name].port,
  ]);
  if (settings.given.rpcUrls === null) wanted.push(['CHAIN_PORT + 1', settings.chain.port + 1]);
  for (const [name, port] of wanted)
    if (!(await isPortFree(port)))
      throw new Error(`Port ${port} is taken by another program. Set ${name} to a free one.`);
}

async function startDatabase(o: {
  settings: Settings;
  runDir: string;
  closers: (() => Promise<void>)[];
  durable?: boolean;
  say(line: string): void;
  onFatal(line: string): void;
}): Promise<string> {
  const { port, dataDir } = o.settings.postgres;
  const start = async (): Promise<Postgres> => {
    const postgres = await startPostgres({ dataDir, port, durable: o.durable ?? true });
    notePid({ runDir: o.runDir, name: 'postgres', pid: postgres.pid, signal: 'SIGINT' });
    return postgres;
  };
  let postgres = await start();
  let restarting = false;
  const watch = setInterval(() => {
    if (restarting || isAlive(postgres.pid)) return;
    restarting = true;
    o.say('postgres ended; starting it again');
    start()
      .then((again) => (postgres = again))
      .catch((error: unknown) => o.onFatal(`postgres cannot be started again: ${String(error)}`))
      .finally(() => (restarting = false));
  }, 500);
  o.closers.push(async () => {
    clearInterval(watch);
    await postgres.close();
    forgetPid({ runDir: o.runDir, name: 'postgres' });
  });
  await ensureDatabase(postgres, DATABASE_NAME);
  return postgres.url(DATABASE_NAME);
}

function makeAppEnv(settings: Settings, databaseUrl: string): Record<string, string> {
  const { given, dataDir } = settings;
  const env: Record<string, string> = {
    NETWORK: 'local',
    PORT: String(settings.appPort),
    QUITTANCE_DATA_DIR: dataDir,
    ...embeddedUrls(settings),
    DATABASE_URL: databaseUrl,
  };
  // Without a key to sign with, the SDK serves only in its development mode.
  if (settings.runner.signingKey === null) env['INNGEST_DEV'] = '1';
  if (!given.rates.url) {
    env['RATES_ECB_NAME'] = sampleName('rates');
    env['RATES_NAME'] = sampleName('rates');
  }
  if (!given.rates.datedUrl) env['RATES_DATED_NAME'] = sampleName('rates');
  if (!given.rates.solUrl) env['SOL_PRICE_NAME'] = sampleName('price');
  if (!given.minterKey) env['MINTER_KEY_FILE'] = ensureKey(dataDir, 'minter').file;
  if (!given.storageKey) env['STORAGE_KEY_FILE'] = ensureKey(dataDir, 'storage').file;
  if (!given.payTo) env['PAY_TO'] = ensureKey(dataDir, 'pay-to').publicKey;
  if (!given.feePayerKey) env['FEE_PAYER_KEY_FILE'] = ensureKey(dataDir, 'fee-payer').file;
  return env;
}
