import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@/devnet/free-port';
import { nodeUrls } from '@/devnet/settings';
import { PrismaPg } from '@prisma/adapter-pg';
import { Client } from 'pg';
import { PrismaClient } from '@/generated/prisma/client';
import { isAlive } from '@/devnet/postgres/find-running';
import { isolatedEnv } from '@/scripts/isolated-env';
import { pickPorts } from '@/scripts/pick-ports';
import { runService } from '@/scripts/run-service';
import { startAnotherApp } from '../start-another-app';
import { toTestService, type TestService } from '../to-test-service';
import { loseHistory } from './lose-history';
import type { Victim } from './plan-blows';
import type { Target } from './strike';

export type Place = {
  /** The same service at both of its processes. */
  apps: [TestService, TestService];
  targets: Record<Victim, Target>;
  /** Parts that ended without a kill. */
  accidents: string[];
  close(): Promise<void>;
};

/**
 * A whole service with its own database, and a second process of the app beside the first. Both ask
 * the given number of nodes.
 */
export async function startPlace(nodes: 1 | 2): Promise<Place> {
  const dir = mkdtempSync(join(tmpdir(), 'quittance-chaos-'));
  chmodSync(dir, 0o755);
  const accidents: string[] = [];
  const service = await runService({
    mode: 'start',
    env: {
      ...isolatedEnv(),
      ...(await pickPorts()),
      ...(nodes === 2 ? { DEVNET_SECOND_NODE_PORT: String(await freePort(2)) } : {}),
      QUITTANCE_DATA_DIR: dir,
      // Slots are long enough that a restart does not outlast the 150 slots of a blockhash.
      DEVNET_SLOT_MS: '300',
      DEVNET_FINALITY_SLOTS: '4',
      DEVNET_RUNNER_BACKOFF_MS: '200',
    },
    say: (line) => void (/^(?!postgres).* ended \(/.test(line) && accidents.push(line)),
    onFatal: (line) => accidents.push(line),
  });
  const { databaseUrl, settings } = service.stack;
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl }) });
  const first = toTestService(service, {
    databaseUrl,
    prisma,
    said: accidents,
    close: service.close,
  });
  const another = await startAnotherApp({
    env: { ...first.appEnv, PUBLIC_URL: first.baseUrl },
    onCrash: (how) => accidents.push(`second app ended (${how})`),
  });
  return {
    apps: [first, { ...first, ...another }],
    targets: {
      app: first.app,
      'second app': another.app,
      runner: first.runner,
      chain: first.chain,
      storage: first.storage,
      database: databaseTarget(settings.postgres.dataDir, databaseUrl),
      history: loseHistory(nodeUrls(settings.chain)),
    },
    accidents,
    close: async () => {
      await prisma.$disconnect();
      await another.stop();
      await service.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The stack restarts a dead database, so this only waits for its return. */
function databaseTarget(dataDir: string, databaseUrl: string): Target {
  return {
    kill: async () => {
      const pid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(pid, 'SIGKILL');
      while (isAlive(pid)) await sleep(20);
    },
    start: async () => {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      await client.end();
    },
  };
}
