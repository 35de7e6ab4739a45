import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, setGlobalDispatcher } from 'undici';

/** Makes `fetch` trust the certificates that Caddy signs itself, once Caddy has made its root. */
export async function trustCaddy(dataDir: string, patienceMs: number): Promise<void> {
  const root = join(dataDir, 'caddy/pki/authorities/local/root.crt');
  const started = performance.now();
  while (!existsSync(root)) {
    if (performance.now() - started > patienceMs) throw new Error('Caddy made no certificate');
    await sleep(200);
  }
  setGlobalDispatcher(new Agent({ connect: { ca: readFileSync(root, 'utf8') } }));
}
