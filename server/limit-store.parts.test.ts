import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '@/devnet/free-port';
import { trusted } from './trusted';

const settings = { redisUrl: '' };

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) process.stdout.write('left out: no redis-server on this machine, counts in Redis\n');

/** The module of another process, with a connection of its own. */
async function anotherProcess() {
  vi.resetModules();
  const settingsModule = trusted<{ env: () => unknown }>(
    await import('./env'),
    'limits read no more of the settings',
  );
  vi.spyOn(settingsModule, 'env').mockReturnValue({
    databaseUrl: 'postgresql://u:p@127.0.0.1:9/none',
    logLevel: 'silent',
    redisUrl: settings.redisUrl,
    limits: { reads: 3, paid: 2, rpc: 2 },
  });
  return import('./limit-store');
}
type Store = Awaited<ReturnType<typeof anotherProcess>>;

// Other files of the worker get modules of their own.
afterAll(() => void vi.resetModules());

describe('limits that should be counted in Redis', () => {
  it('are not known where no Redis answers', async () => {
    settings.redisUrl = `redis://127.0.0.1:${await freePort()}`;
    const store = await anotherProcess();
    expect(await store.takePoints({ name: 'reads', key: 'client', points: 1 })).toBeNull();
  });
});

if (hasRedis)
  describe('limits that are counted in Redis', () => {
    let dir: string;
    let port: number;
    let server: ChildProcess | undefined;
    let one: Store;
    let other: Store;
    beforeAll(async () => {
      dir = mkdtempSync(join(tmpdir(), 'quittance-redis-'));
      port = await freePort();
      settings.redisUrl = `redis://127.0.0.1:${port}`;
      await start();
      one = await connected(await anotherProcess());
      other = await connected(await anotherProcess());
    }, 180_000);
    afterAll(async () => {
      await stop();
      rmSync(dir, { recursive: true, force: true });
    });

    async function start(): Promise<void> {
      const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
      const started = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'ignore'] });
      server = started;
      await new Promise<void>((resolve, reject) => {
        started.once('exit', () => reject(new Error('redis-server ended')));
        started.stdout.on('data', (text: Buffer) => {
          if (text.toString().includes('Ready to accept connections')) resolve();
        });
      });
    }
    async function stop(): Promise<void> {
      const ended = server;
      if (!ended) return;
      await new Promise((resolve) => {
        ended.once('exit', resolve);
        ended.kill('SIGKILL');
      });
    }
    /** The first connection takes a moment, during which the store counts as down. */
    const connected = async (store: Store): Promise<Store> => {
      await vi.waitFor(
        async () =>
          expect(await store.takePoints({ name: 'paid', key: 'hello', points: 0 })).not.toBeNull(),
        { timeout: 20_000, interval: 50 },
      );
      return store;
    };

    it('are shared by all processes, one window a key', async () => {
      const take = (store: Store, key: string) =>
        store.takePoints({ name: 'reads', key, points: 1 });
      const states = [];
      for (const store of [one, other, one, other]) states.push(await take(store, 'client'));
      expect(states.map((state) => [state?.isOver, state?.left])).toEqual([
        [false, 2],
        [false, 1],
        [false, 0],
        [true, 0],
      ]);
      expect(states[0]?.most).toBe(3);
      expect(states[3]?.resetMs).toBeGreaterThan(0);
      expect(states[3]?.resetMs).toBeLessThanOrEqual(60_000);
      expect((await take(other, 'another client'))?.left).toBe(2);
    });

    it('make who has read too much at once wait for as long as it would have taken', async () => {
      const state = await one.chargePoints({ name: 'rpc', key: 'client', points: 6 });
      // Two a minute are allowed: four too many are two minutes.
      expect(state?.resetMs).toBeGreaterThan(100_000);
      expect((await other.takePoints({ name: 'rpc', key: 'client', points: 1 }))?.isOver).toBe(
        true,
      );
    });

    it('are reported as unknown while Redis is down, and count again once it is back', async () => {
      await stop();
      const ask = () => one.takePoints({ name: 'reads', key: 'later', points: 1 });
      await vi.waitFor(async () => expect(await ask()).toBeNull(), { timeout: 20_000 });
      await start();
      await vi.waitFor(async () => expect((await ask())?.most).toBe(3), { timeout: 20_000 });
    }, 60_000);
  });
