import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { makeWallet } from '@/devnet/client/wallet';
import { poseAsMainnet } from './pose-as-mainnet';
import { readCompose } from './read-compose';
import { readImageConfig } from './read-dockerfile';
import { startDatabase } from './start-database';
import { runToEnd, startProcess, type Program, type Running } from './start-process';

const APP_USER = 1000;
const CADDY_USER = 65_534;
const HOST = 'receipts.trial.example';
/** Has characters that no URL can hold. */
const PASSWORD = `p@ss/w#rd %:'x`;
const PATIENCE_MS = 120_000;

/** A part that dies at once, like in a crash, and is restarted like its supervisor would do. */
export type Target = { kill(): Promise<void>; start(): Promise<void> };

export type Trial = {
  dir: string;
  baseUrl: string;
  chainUrl: string;
  caddyData: string;
  /** Runs the image's HEALTHCHECK in each app process's settings. */
  checkHealth(): Promise<void>;
  /** Parts that can be killed and started again. */
  targets: Record<string, Target>;
  /** Sends SIGTERM to the app processes one after the other. Returns their exit codes. */
  stopApps(): Promise<(number | null)[]>;
  close(): Promise<void>;
};

/**
 * Starts the services of compose.yaml, with its commands and environment, in its order. Not from
 * compose.yaml are the embedded chain, storage and rates (instead of mainnet's), the embedded job
 * runner (instead of Inngest's server), and Caddy's self-signed certificates.
 */
export async function startTrial(o: { dir: string; say(line: string): void }): Promise<Trial> {
  const { dir, say } = o;
  const logs = join(dir, 'logs');
  mkdirSync(logs, { recursive: true });
  /** By name. A killed process is restarted under the same name. */
  const started = new Map<string, { program: Program; running: Running }>();
  const start = (program: Program) => {
    const running = startProcess(logs, program);
    started.set(program.name, { program, running });
    return running;
  };
  const victim = (name: string): Target => ({
    kill: async () => {
      const { child, ended } = started.get(name)?.running ?? {};
      if (child?.pid !== undefined) killAll(child.pid);
      await ended;
    },
    // Docker would restart its container.
    start: async () => {
      const was = started.get(name);
      if (was) start(was.program);
    },
  });
  const image = readImageConfig(readFileSync('Dockerfile', 'utf8'));
  const keys = writeKeys();
  const dotEnv = writeDotEnv(keys.payTo);
  const compose = readCompose(readFileSync('compose.yaml', 'utf8'), dotEnv);
  const service = (name: string) => {
    const found = compose.services[name];
    if (!found) throw new Error(`compose.yaml has no service ${name}`);
    return found;
  };
  const appEnv = { ...image.env, ...dotEnv, ...service('app').environment };
  const inImage = (name: string, args: string[], env: Record<string, string> = {}): Program => {
    const data = join(dir, `data-${name}`);
    mkdirSync(data, { recursive: true });
    chownSync(data, APP_USER, APP_USER);
    return {
      name,
      args,
      uid: APP_USER,
      cwd: join(dir, 'app'),
      env: { ...appEnv, ...env, QUITTANCE_DATA_DIR: data, HOME: '/nonexistent' },
    };
  };

  const database = await startDatabase({ dir, password: PASSWORD, user: 'quittance' });
  const plain = { cwd: dir, env: {}, uid: null };
  start({ ...plain, name: 'redis', args: [...(service('redis').command ?? []), '--dir', dir] });
  const chainUrl = await startEmbedded();
  say(await runToEnd(logs, inImage('migrate', service('migrate').command ?? [])));
  await fundWallet(chainUrl, { wallet: keys.minter, sol: 100 });
  await fundWallet(chainUrl, { wallet: keys.feePayer, sol: 10 });
  await fundWallet(chainUrl, { wallet: keys.payTo, token: 'USDC', amount: '0.000001' });
  await fundWallet(chainUrl, { wallet: keys.storage, sol: 1 });
  // The command of docs/operation, with the answer of a person.
  const tree = 'npm run tree:create -- --depth 14 --buffer 64 --canopy 8 --yes'.split(' ');
  say(await runToEnd(logs, inImage('tree', tree)));

  // One network has one port 3000, so the second process gets another.
  const ports = ['3000', '3001'];
  const programs = ports.map((PORT) => inImage(`app-${PORT}`, image.command, { PORT }));
  const names = programs.map(({ name }) => name);
  const apps = programs.map(start);
  const caddy = (service('caddy').command ?? []).map((word) =>
    word === '/etc/caddy/Caddyfile' ? writeCaddyfile() : word,
  );
  const caddyData = join(dir, 'caddy');
  mkdirSync(caddyData, { recursive: true });
  chownSync(caddyData, CADDY_USER, CADDY_USER);
  const folders = { HOME: caddyData, XDG_DATA_HOME: caddyData, XDG_CONFIG_HOME: caddyData };
  const caddyEnv = { ...folders, ...service('caddy').environment };
  start({ name: 'caddy', args: caddy, cwd: caddyData, env: caddyEnv, uid: CADDY_USER });
  await Promise.all(apps.map(awaitReady));
  say(`two app processes are ready (${image.command.join(' ')})`);

  return {
    dir,
    baseUrl: `https://${HOST}`,
    chainUrl,
    caddyData,
    checkHealth: async () => {
      for (const PORT of ports)
        await runToEnd(logs, inImage(`check-${PORT}`, image.healthcheck, { PORT }));
    },
    targets: {
      PostgreSQL: database,
      Redis: victim('redis'),
      'job server': victim('runner'),
      storage: victim('storage'),
      RPC: victim('chain'),
      'one app process': victim(names[1] ?? ''),
    },
    stopApps: async () => {
      const codes = [];
      for (const name of names) {
        const running = started.get(name)?.running;
        running?.child.kill('SIGTERM');
        codes.push((await running?.ended) ?? null);
      }
      return codes;
    },
    close: async () => {
      const all = [...started.values()].map(({ running }) => running).reverse();
      for (const { child } of all) if (child.exitCode === null) endGroup(child.pid);
      await Promise.all(all.map(({ ended }) => ended));
      await database.close();
    },
  };

  /**
   * The Caddyfile of compose.yaml, with the port of the second process and certificates that Caddy
   * signs itself.
   */
  function writeCaddyfile(): string {
    const text = readFileSync('operation/Caddyfile', 'utf8');
    const path = join(dir, 'Caddyfile');
    writeFileSync(path, `{\n\tlocal_certs\n}\n${text.replace('app-2:3000', 'app-2:3001')}`);
    return path;
  }

  /** Keys like in docs/operation, at the path where compose mounts them. */
  function writeKeys() {
    const wallet = (name: string) => {
      const { keypair, address } = makeWallet();
      const path = join('/run/secrets', name);
      writeFileSync(path, JSON.stringify([...keypair.secretKey]), { mode: 0o400 });
      chownSync(path, APP_USER, APP_USER);
      return address;
    };
    const [minter, storage, feePayer] = ['minter', 'storage', 'fee_payer'].map(wallet);
    if (!minter || !storage || !feePayer) throw new Error('three keys are needed');
    return { minter, storage, feePayer, payTo: makeWallet().address };
  }

  /**
   * The .env file of an operator. Names that compose does not have are in /etc/hosts of the trial.
   */
  function writeDotEnv(payTo: string): Record<string, string> {
    return {
      NETWORK: 'mainnet',
      PUBLIC_URL: `https://${HOST}`,
      PUBLIC_HOST: HOST,
      POSTGRES_PASSWORD: PASSWORD,
      SOLANA_RPC_URLS: 'http://rpc.one.example:9001,http://rpc.two.example:9002',
      PAY_TO: payTo,
      STORAGE_UPLOAD_URL: 'http://storage.trial.example:8898',
      STORAGE_GATEWAY_URL: 'http://storage.trial.example:8898',
      OPERATOR_NAME: 'Nobody, on trial',
      OPERATOR_CONTACT: 'nobody@receipts.example.com',
      INNGEST_EVENT_KEY: 'trial-event-key-0123456789',
      INNGEST_SIGNING_KEY: 'signkey-trial-0123456789abcdef0123456789abcdef',
      RATES_URL: 'http://rates:8897',
      RATES_DATED_URL: 'http://rates:8897/dated/{date}/v1',
      SOL_PRICE_URL: 'http://rates:8897',
      // One client sends the requests of hundreds.
      LIMITS: 'off',
    };
  }

  /** The parts of the embedded stack, and the two nodes in the app's settings. */
  async function startEmbedded(): Promise<string> {
    const env = {
      QUITTANCE_DATA_DIR: join(dir, 'embedded'),
      NODE_ENV: 'development',
      PORT: '3000',
      DEVNET_SLOT_MS: '200',
      DEVNET_FINALITY_SLOTS: '4',
      PGPASSWORD: PASSWORD,
      DATABASE_URL: service('app').environment['DATABASE_URL'] ?? '',
      INNGEST_EVENT_KEY: dotEnv['INNGEST_EVENT_KEY'] ?? '',
      INNGEST_SIGNING_KEY: dotEnv['INNGEST_SIGNING_KEY'] ?? '',
    };
    const parts = ['chain', 'storage', 'runner', 'rates'].map((name) => {
      const args = [process.execPath, '--import', 'tsx', `devnet/${name}/main.ts`];
      return start({ name, args, env, cwd: process.cwd(), uid: null });
    });
    await Promise.all(parts.map(awaitReady));
    const url = 'http://127.0.0.1:8899';
    for (const port of [9001, 9002]) await poseAsMainnet({ chainUrl: url, port });
    return url;
  }
}

/** Every program of the service says `ready`. */
async function awaitReady({ child, logFile }: Running): Promise<void> {
  const startedAt = performance.now();
  while (!/^ready /m.test(readFileSync(logFile, 'utf8'))) {
    const isLate = performance.now() - startedAt > PATIENCE_MS;
    if (isLate || child.exitCode !== null)
      throw new Error(`It is not ready:\n${readFileSync(logFile, 'utf8').slice(-3_000)}`);
    await sleep(200);
  }
}

/**
 * Ends a program with its children, also those in other process groups, because a container dies as
 * a whole.
 */
function killAll(pid: number): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const one of [...children.filter(Boolean).map(Number), pid]) endGroup(one, 'SIGKILL');
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals = 'SIGTERM'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has already ended, or leads no group.
  }
}
