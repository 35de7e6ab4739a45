import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startBench, until } from './bench.fixture';
import { readFunction } from './functions';

let bench: Awaited<ReturnType<typeof startBench>> | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
});

const plain = {
  id: 'app-f',
  name: 'f',
  triggers: [{ event: 'e' }],
  steps: {
    step: { id: 'step', name: 'step', runtime: { type: 'http', url: 'http://app/api/inngest' } },
  },
};

test('a plain function has five tries, like on the real server', () => {
  expect(readFunction(plain)).toMatchObject({
    id: 'app-f',
    maxAttempts: 5,
    limits: [],
    cron: null,
  });
});

test.each([
  ['rateLimit', { rateLimit: { limit: 1, period: '1m' } }],
  ['throttle', { throttle: { limit: 1, period: '1m' } }],
  ['debounce', { debounce: { period: '1s' } }],
  ['batchEvents', { batchEvents: { maxSize: 2, timeout: '1s' } }],
  ['singleton', { singleton: { mode: 'skip' } }],
  ['timeouts', { timeouts: { start: '1m' } }],
  ['priority', { priority: { run: '100' } }],
  ['cancel', { cancel: [{ event: 'x' }] }],
  ['somethingNew', { somethingNew: true }],
  ['jitter', { triggers: [{ cron: '* * * * *', jitter: '30s' }] }],
  ['expression', { triggers: [{ event: 'e', expression: 'event.data.a > 1' }] }],
  ['cron', { triggers: [{ cron: 'every now and then' }] }],
  ['cron', { triggers: [{ cron: '* * * * * *' }] }],
  ['cron', { triggers: [{ cron: '* * * * *' }, { cron: '1 * * * *' }] }],
  ['inngest/function.failed', { triggers: [{ event: 'inngest/function.finished' }] }],
  ['idempotency', { idempotency: 'event.data.a + event.data.b' }],
  ['event.data', { concurrency: [{ limit: 1, key: '"account"' }] }],
  ['scope', { concurrency: { limit: 1, scope: 'env' } }],
])('%s is unsupported and refused by name', (name, setting) => {
  expect(() => readFunction({ ...plain, ...setting })).toThrow(/function app-f/);
  expect(() => readFunction({ ...plain, ...setting })).toThrow(name);
});

test('an app with a refused function is refused completely, and /health says so', async () => {
  const lines: string[] = [];
  bench = await startBench({ appEnv: { REFUSED: '1' }, log: (line) => lines.push(line) });
  const { get, send } = bench;
  const health = await until(async () => {
    const answer = await get('/health');
    return answer.status === 503 && answer.body;
  });
  expect(health).toMatchObject({
    functions: 0,
    refused: 'function app-limited: "rateLimit" is not supported',
  });
  expect(lines.join()).toContain('sync refused');
  // The functions of the event are still unknown, so it is refused.
  expect((await send('chain', { key: 'a', steps: 1 })).status).toBe(503);
});

test('an app that starts later is registered, and known again when the runner restarts', async () => {
  bench = await startBench();
  await bench.app.kill();
  bench.app.start();
  await bench.synced();
  await bench.app.kill();
  await bench.restartRunner();
  expect((await bench.get('/health')).body.functions).toBeGreaterThan(5);
  expect((await bench.send('chain', { key: 'b', steps: 1 })).status).toBe(200);
  bench.app.start();
  await bench.idle();
  expect(bench.notes('step b')).toHaveLength(1);
});

test('in cloud mode both sides sign; other keys, and events with another key, are refused', async () => {
  const signingKey = `signkey-test-${createHmac('sha256', 'a').digest('hex')}`;
  bench = await startBench({ signingKey, eventKey: 'secret' });
  await bench.synced();
  expect((await bench.post('/e/guess', { name: 'chain', data: {} })).body).toMatchObject({
    status: 401,
  });
  await bench.send('chain', { key: 'c', steps: 3 });
  await bench.idle();
  expect((await bench.runs('chain'))[0]).toMatchObject({ status: 'Completed' });
  expect(bench.notes('step c')).toEqual(['0', '1', '2']);
  const forged = await bench.post('/v1/checkpoint/any/async', { generation_id: 1, steps: [] });
  expect(forged.status).toBe(401);
});

test('in cloud mode an answer that is not signed is not taken', async () => {
  const impostor = createServer((_, res) => res.end(JSON.stringify({ functions: [plain] })));
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
  const { port } = impostor.address() as AddressInfo;
  const appUrl = `http://127.0.0.1:${port}/`;
  try {
    bench = await startBench({ appUrl });
    await bench.synced();
    await bench.close();
    let asked = 0;
    impostor.on('request', () => (asked += 1));
    bench = await startBench({ appUrl, signingKey: `signkey-test-${'ab'.repeat(32)}` });
    await until(() => asked > 2);
    expect((await bench.get('/health')).body.functions).toBe(0);
  } finally {
    impostor.close();
  }
});
