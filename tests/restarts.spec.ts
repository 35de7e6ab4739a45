import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { countNfts } from './harness/count-nfts';
import { startSecondApp } from './harness/start-app';
import { hasRedis, startRedis } from './harness/start-redis';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { awaitStatus, call, freshReceipt, makePair, mint, pay } from './harness/use-service';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterEach(async () => {
  await service.fault('chain', null);
  await service.fault('runner', null);
});

/** What a restarted database does to its clients: every connection of app and runner is cut. */
async function cutConnections(): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}

describe('the database', () => {
  it('cutting every connection again and again loses nothing', async () => {
    const receipts = await Promise.all(Array.from({ length: 4 }, () => freshReceipt(service)));
    for (let n = 0; n < 5; n += 1) {
      await cutConnections();
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    for (const { id, owner } of receipts) {
      await awaitStatus(service, id, { timeoutMs: 90_000 });
      expect(await countNfts(service.rpcUrl, owner)).toBe(1);
    }
  }, 120_000);
});

describe('the job server', () => {
  it('refusing the event does not lose the receipt: the sweep sends it on its way', async () => {
    await service.fault('runner', { dropEvents: 100 });
    const { id, owner } = await freshReceipt(service);
    expect((await call(service, `/mint/status/${id}`)).body).toMatchObject({
      mint_status: 'pending',
      attempts: 0,
    });
    // The SDK tries five times; the event is lost for good only then.
    await expect
      .poll(async () => (await fetch(`${service.runnerUrl}/_faults`)).text(), { timeout: 20_000 })
      .toContain('"dropEvents":95');
    await service.fault('runner', null);
    // As if a minute had passed.
    await service.prisma.mint.update({ where: { id }, data: { redriveAt: new Date(0) } });
    const fired = await fetch(`${service.runnerUrl}/_cron`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ functionId: 'quittance-sweep-mints' }),
    });
    expect(fired.status, await fired.text()).toBe(200);
    await awaitStatus(service, id);
    expect(await countNfts(service.rpcUrl, owner)).toBe(1);
    expect((await service.prisma.mint.findUniqueOrThrow({ where: { id } })).redrives).toBe(1);
  });

  it('being down when a receipt is asked for delays its proof, not the answer', async () => {
    await service.runner.kill();
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const started = performance.now();
    const { status, body } = await mint(service, { signature, wallet: payer });
    expect(status).toBe(200);
    expect(performance.now() - started).toBeLessThan(10_000);
    await service.runner.start();
    const id = String(body['receipt_id']);
    await service.prisma.mint.update({ where: { id }, data: { redriveAt: new Date(0) } });
    await awaitStatus(service, id, { timeoutMs: 100_000 });
    expect(await countNfts(service.rpcUrl, payer.address)).toBe(1);
  }, 150_000);
});

describe('health', () => {
  it('names the part that is away and what waits for it, and keeps the process among those that are asked', async () => {
    const healthOf = () => call(service, '/health');
    expect(await healthOf()).toMatchObject({ status: 200, body: { status: 'ok', degraded: [] } });
    await service.storage.kill();
    await service.runner.kill();
    await expect
      .poll(async () => (await healthOf()).body['parts'], { timeout: 15_000 })
      .toMatchObject({ storage: { ok: false }, jobs: { ok: false }, database: { ok: true } });
    expect(await healthOf()).toMatchObject({
      status: 200,
      body: {
        success: true,
        ready: true,
        status: 'degraded',
        degraded: ['storage', 'jobs'],
        affected: { storage: expect.stringContaining('nothing is lost') },
      },
    });
    for (const path of ['/health/ready', '/health/live'])
      expect((await call(service, path)).status).toBe(200);
    await Promise.all([service.storage.start(), service.runner.start()]);
    await expect
      .poll(async () => (await healthOf()).body['status'], { timeout: 60_000 })
      .toBe('ok');
  }, 120_000);
});

describe.runIf(hasRedis() || process.env.CI)('a process that counts in Redis', () => {
  it('serves its first request, and names Redis once it is dead', async () => {
    const redis = await startRedis();
    const app = await startSecondApp({
      ...service,
      appEnv: { ...service.appEnv, REDIS_URL: redis.url },
    });
    try {
      // The first that is counted: refused for its own fault, and not because the counts are away.
      const first = await call(app, '/mint', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"a":1}',
      });
      expect([first.status, first.body['code']]).toEqual([400, 'invalid_request']);
      const healthOf = async () => (await call(app, '/health')).body;
      expect((await healthOf())['parts']).toMatchObject({
        limits: { ok: true, detail: 'Redis answers' },
      });
      await redis.kill();
      await expect.poll(healthOf, { timeout: 15_000 }).toMatchObject({
        ready: true,
        status: 'degraded',
        degraded: expect.arrayContaining(['limits']),
        parts: { limits: { ok: false, detail: 'wrong: Redis does not answer' } },
      });
    } finally {
      await app.stop();
    }
  }, 120_000);
});
