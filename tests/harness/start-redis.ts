import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@/devnet/free-port';

export const hasRedis = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

/** Debian's Redis on a free port, without files on disk. */
export async function startRedis(): Promise<{ url: string; kill(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'quittance-redis-'));
  const port = await freePort();
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', dir],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const ended = once(child, 'close');
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes('Ready to accept connections')) break;
  }
  if (child.exitCode !== null) throw new Error(`Redis did not start: ${said}`);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
