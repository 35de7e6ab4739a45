import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@/devnet/free-port';
import { childEnv } from '@/scripts/environment';
import type { Part } from '@/devnet/stack-part';
import { isolatedEnv } from '@/scripts/isolated-env';
import { parseEnv } from '@/server/env';
import { createAppPart } from '@/scripts/run-service';

export type AnotherApp = { baseUrl: string; app: Part; stop(): Promise<void> };

/**
 * Starts a process of the app with the settings of a running one, on a new port or on one that is
 * free again.
 */
export async function startAnotherApp(o: {
  /** Settings that lead to the same database, chain, storage and job server. */
  env: Record<string, string>;
  /** Any free one by default. */
  port?: number;
  onCrash(how: string): void;
}): Promise<AnotherApp> {
  const dir = mkdtempSync(join(tmpdir(), 'quittance-another-'));
  const port = o.port ?? (await freePort());
  const settings = childEnv({ ...isolatedEnv(), ...o.env, PORT: String(port) });
  const app = createAppPart({
    mode: 'start',
    env: settings,
    drainMs: parseEnv(settings).drainMs,
    port,
    host: '127.0.0.1',
    logFile: join(dir, 'app.log'),
    runDir: dir,
    onCrash: o.onCrash,
  });
  await app.start();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    app,
    stop: async () => {
      await app.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
