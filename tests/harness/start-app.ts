import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { freePort } from '@/devnet/free-port';
import { childEnv } from '@/devnet/settings';
import { isolatedEnv } from '@/scripts/isolated-env';
import { createAppPart } from '@/scripts/run-service';
import type { TestService } from './start-service';

/** One more process of the app over the same database, chain and public URL, on a port of its own. */
export async function startSecondApp(
  service: TestService,
): Promise<TestService & { stop(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'quittance-second-'));
  const port = await freePort();
  const app = createAppPart({
    mode: 'start',
    distDir: inject('distDir'),
    env: childEnv({
      ...isolatedEnv(),
      ...service.appEnv,
      PUBLIC_URL: service.baseUrl,
      PORT: String(port),
    }),
    port,
    host: '127.0.0.1',
    logFile: join(dir, 'app.log'),
    runDir: dir,
    onCrash: (how) => console.error(`the second app ended: ${how}`),
  });
  await app.start();
  return {
    ...service,
    baseUrl: `http://127.0.0.1:${port}`,
    app,
    stop: async () => {
      await app.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
