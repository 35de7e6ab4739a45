import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { setFaults } from '@/devnet/client/set-faults';
import type { Part } from '@/devnet/stack-part';
import { isolatedEnv } from '@/scripts/isolated-env';
import { pickPorts } from '@/scripts/pick-ports';
import { runService } from '@/scripts/run-service';
import { createTestDatabase } from './create-test-database';

/** A process of the service under test. */
export type Handle = {
  /** Ends it as a crash would; nothing starts it again. */
  kill(): Promise<void>;
  /** Starts it again on the same port and state, and returns when it is ready. */
  start(): Promise<void>;
  pid(): number | null;
  logFile: string | null;
};

export type TestService = {
  baseUrl: string;
  rpcUrl: string;
  storageUrl: string;
  runnerUrl: string;
  ratesUrl: string;
  databaseUrl: string;
  prisma: PrismaClient;
  /** Settings of the app, for scripts and modules that work beside it. */
  appEnv: Record<string, string>;
  app: Handle;
  chain: Handle;
  storage: Handle;
  runner: Handle;
  rates: Handle;
  /** Sets fault switches of a part; `null` clears them. */
  fault(part: 'chain' | 'storage' | 'runner' | 'rates', switches: object | null): Promise<void>;
  close(): Promise<void>;
};

/**
 * The whole service for one test file: own database, chain, storage node, job runner and production
 * server, each a process that can be killed. Fast slots and retries unless `env` says otherwise. Call
 * it in `beforeAll` of a file of the `service` project and `close()` in `afterAll`.
 */
export async function startService(o: { env?: Record<string, string> } = {}): Promise<TestService> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'quittance-service-'));
  chmodSync(dataDir, 0o755);
  const quiet: string[] = [];
  const service = await runService({
    mode: 'start',
    distDir: inject('distDir'),
    env: {
      ...isolatedEnv(),
      ...(await pickPorts()),
      QUITTANCE_DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      DEVNET_SLOT_MS: '100',
      DEVNET_FINALITY_SLOTS: '4',
      DEVNET_RUNNER_BACKOFF_MS: '200',
      DEVNET_RUNNER_MOST_SLEEP_MS: '400',
      ...o.env,
    },
    say: (line) => quiet.push(line),
    onFatal: (line) => console.error(line),
  });
  const { settings, parts, appEnv } = service.stack;
  const urls = {
    chain: settings.chain.url,
    storage: settings.storage.url,
    runner: settings.runner.url,
    rates: settings.rates.url,
  };
  return {
    baseUrl: service.baseUrl,
    rpcUrl: urls.chain,
    storageUrl: urls.storage,
    runnerUrl: urls.runner,
    ratesUrl: urls.rates,
    databaseUrl: database.url,
    prisma: database.prisma,
    appEnv,
    app: handle(service.app),
    chain: handle(parts.chain),
    storage: handle(parts.storage),
    runner: handle(parts.runner),
    rates: handle(parts.rates),
    fault: (part, switches) => setFaults(urls[part], switches),
    close: async () => {
      await service.close();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function handle(part: Part | undefined): Handle {
  if (!part) throw new Error('a part that the settings bring has no process of ours');
  return { kill: part.kill, start: part.start, pid: part.pid, logFile: part.logFile };
}
