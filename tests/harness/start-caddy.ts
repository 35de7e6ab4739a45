import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@/devnet/free-port';
import { childEnv } from '@/scripts/environment';

export type Caddy = { baseUrl: string; close(): Promise<void> };

export const hasCaddy = (): boolean => existsSync('/usr/bin/caddy');

/** Debian's Caddy with the block that docs/operation/machines.md prints, but in front of these two processes. */
export async function startCaddy(upstreams: readonly [string, string]): Promise<Caddy> {
  const [, block = ''] =
    /```caddyfile\n([\s\S]*?)```/.exec(readFileSync('docs/operation/machines.md', 'utf8')) ?? [];
  const dir = mkdtempSync(join(tmpdir(), 'quittance-caddy-'));
  const port = await freePort();
  const [first, second] = upstreams.map((url) => new URL(url).host);
  const file = block
    .replace('receipts.example.com', `http://127.0.0.1:${port}`)
    .replace('10.0.0.1:3000 10.0.0.2:3000', `${first} ${second}`);
  writeFileSync(join(dir, 'Caddyfile'), `{\n\tadmin off\n}\n${file}`);
  const child = spawn('/usr/bin/caddy', ['run', '--config', join(dir, 'Caddyfile')], {
    env: childEnv({ HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir }),
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const baseUrl = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await answers(baseUrl)); tries += 1) {
    if (child.exitCode !== null || tries > 1_200) throw new Error('Caddy did not start');
    await sleep(100);
  }
  return {
    baseUrl,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function answers(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/health/live`).then(
    ({ status }) => status === 200,
    () => false,
  );
}
