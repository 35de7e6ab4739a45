import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isolatedEnv } from '@/scripts/isolated-env';
import { pickPorts } from '@/scripts/pick-ports';
import { runService } from '@/scripts/run-service';
import { createTestDatabase } from './create-test-database';
import { toTestService, type TestService } from './to-test-service';
import { unwatchAnswers, watchAnswers } from './watch-answers';

export type { TestService } from './to-test-service';

/**
 * The whole service for one test file: its own database, chain, storage node, job runner and
 * production server, each a process that can be killed. `holdRaw: false` does not check answers to
 * raw requests. Slots and retries are fast unless `env` says otherwise. Call it in `beforeAll` of a
 * file of the `service` project and `close()` in `afterAll`.
 */
export async function startService(
  o: { env?: Record<string, string>; holdRaw?: boolean } = {},
): Promise<TestService> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'quittance-service-'));
  chmodSync(dataDir, 0o755);
  const said: string[] = [];
  const service = await runService({
    mode: 'start',
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
    say: (line) => said.push(line),
    onFatal: (line) => console.error(line),
  });
  await watchAnswers(service.baseUrl, { raw: o.holdRaw ?? true });
  return toTestService(service, {
    databaseUrl: database.url,
    prisma: database.prisma,
    said,
    close: async () => {
      await service.close();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
      unwatchAnswers(service.baseUrl);
    },
  });
}
