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

/** Cuts every connection of app and runner, like a restart of the database does. */
async function cutConnections(): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}

describe('the database', () => {
  it('that cuts every connection again and again loses nothing', async () => {
    const receipts = await Promise.all(Array.from({ length: 4 }, () => freshReceipt(service)));
    for (let n = 0; n < 5; n += 1) {
      await cutConnections();
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    for (const { id, owner } of receipts) {
      await awaitStatus(service, id, { timeoutMs: 90_000 });
      expect(await countNfts(service.rpcUrl, owner)).toBe(1);
    }
  });
});

describe('the job server', () => {
  it('that refuses the event does not lose the receipt: the sweep re-queues it', async () => {
    await service.fault('runner', { dropEvents: 100 });
    const { id, owner } = await freshReceipt(service);
    expect((await call(service, `/mint/status/${id}`)).body).toMatchObject({
      mint_status: 'pending',
      attempts: 0,
    });
    // The SDK tries five times. After that the event is lost.
    await expect
      .poll(async () => (await fetch(`${service.runnerUrl}/_faults`)).text())
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

  it('that is down when a receipt is requested delays its proof, not the answer', async () => {
    await service.runner.kill();
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const begun = performance.now();
    const { status, body } = await mint(service, { signature, wallet: payer });
    expect(status).toBe(200);
    // It does not wait for the five tries of the job server's library.
    expect(performance.now() - begun).toBeLessThan(30_000);
    await service.runner.start();
    const id = String(body['receipt_id']);
    await service.prisma.mint.update({ where: { id }, data: { redriveAt: new Date(0) } });
    await awaitStatus(service, id, { timeoutMs: 100_000 });
    expect(await countNfts(service.rpcUrl, payer.address)).toBe(1);
  });
});

describe('/health', () => {
  it('names the part that is down and what waits for it, and keeps the process in the load balancer', async () => {
    const healthOf = () => call(service, '/health');
    await expect
      .poll(healthOf)
      .toMatchObject({ status: 200, body: { status: 'ok', degraded: [] } });
    await service.storage.kill();
    await service.runner.kill();
    await expect
      .poll(async () => (await healthOf()).body['parts'])
      .toMatchObject({ storage: { ok: false }, jobs: { ok: false }, database: { ok: true } });
    await expect.poll(healthOf).toMatchObject({
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
    await expect.poll(async () => (await healthOf()).body['status']).toBe('ok');
  });
});

describe.runIf(hasRedis() || process.env.CI)('a process that counts in Redis', () => {
  it('serves its first request, and names Redis when it is down', async () => {
    const redis = await startRedis();
    const app = await startSecondApp({
      ...service,
      appEnv: { ...service.appEnv, REDIS_URL: redis.url },
    });
    try {
      // The first request that is counted: refused for its own fault, not because Redis is down.
      const first = await call(app, '/mint', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"a":1}',
      });
      expect([first.status, first.body['code']]).toEqual([400, 'invalid_request']);
      const healthOf = async () => (await call(app, '/health')).body;
      await expect
        .poll(async () => (await healthOf())['parts'])
        .toMatchObject({ limits: { ok: true, detail: 'Redis answers' } });
      await redis.kill();
      await expect.poll(healthOf).toMatchObject({
        ready: true,
        status: 'degraded',
        degraded: expect.arrayContaining(['limits']),
        parts: { limits: { ok: false, detail: 'wrong: Redis does not answer' } },
      });
    } finally {
      await app.stop();
    }
  });
});
