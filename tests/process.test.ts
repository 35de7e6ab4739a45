import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { childEnv } from '@/scripts/environment';
import { isolatedEnv } from '@/scripts/isolated-env';
import { pickPorts } from '@/scripts/pick-ports';
import { trusted } from '@/server/trusted';
import { countNfts } from './harness/count-nfts';
import { startAnotherApp } from './harness/start-another-app';
import { hasCaddy, startCaddy } from './harness/start-caddy';
import { startService, type TestService } from './harness/start-service';
import {
  awaitStatus,
  call,
  callsOfNode,
  freshReceipt,
  makePair,
  mint,
  pay,
} from './harness/use-service';

/** A process that is asked to end does not wait for a client that would hold it for 30 s. */
const BOUND_MS = 28_000;

const batch = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.unknown(),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              attributes: z.array(z.object({ key: z.string(), value: z.unknown() })),
            }),
          ),
        }),
      ),
    }),
  ),
});
type Batch = z.infer<typeof batch>;

let service: TestService;
let collector: Server;
const batches: Batch[] = [];
const spans = () =>
  batches.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );

beforeAll(async () => {
  collector = createServer((request, response) => {
    void json(request).then((body) => {
      expect(request.url).toBe('/v1/traces');
      batches.push(batch.parse(body));
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = trusted<AddressInfo>(collector.address(), 'it listens on a port');
  service = await startService({
    env: {
      // Slots are long enough that a restart does not outlast the life of a blockhash.
      DEVNET_SLOT_MS: '300',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    },
  });
});
afterAll(async () => {
  await service.close();
  collector.closeAllConnections();
  collector.close();
});

it('traces requests, job steps and calls of nodes, without any text that a caller wrote', async () => {
  const { payer, seller } = await makePair(service);
  const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
  const label = 'Words of a caller';
  const { body } = await mint(service, {
    signature,
    wallet: payer,
    body: { service_type: label },
  });
  await awaitStatus(service, String(body['receipt_id']));
  const named = (name: string) => spans().filter((span) => span.name === name);
  await expect.poll(() => named('step record-1').length).toBeGreaterThan(0);
  const [request] = named('POST /mint');
  const call = named('call receipts.create').find(
    ({ parentSpanId }) => parentSpanId === request?.spanId,
  );
  const rpc = named('rpc getTransaction').find(({ traceId }) => traceId === request?.traceId);
  expect([request?.parentSpanId ?? '', call?.traceId]).toEqual(['', request?.traceId]);
  expect(rpc?.parentSpanId).toBe(call?.spanId);
  expect(request?.attributes).toContainEqual({
    key: 'http.response.status_code',
    value: { intValue: 200 },
  });
  const [step] = named('step sign-1');
  expect(named('rpc getLatestBlockhash').map(({ parentSpanId }) => parentSpanId)).toContain(
    step?.spanId,
  );
  const sent = JSON.stringify(batches);
  expect(sent).toContain('quittance');
  const secrets = [label, payer.signText(`quittance:${signature}`), service.rpcUrl, 'KEY'];
  for (const secret of secrets) expect(sent).not.toContain(secret);
});

it('SIGTERM: open work ends, nothing new is accepted, the process exits with 0, nothing is lost', async () => {
  const { payer, seller } = await makePair(service);
  const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
  // Set before the receipt is requested: on a busy machine the mint would already be done by now.
  await service.fault('storage', { delayMs: 3_000 });
  const held = await freshReceipt(service);
  await expect.poll(() => leaseOf(held.id)).not.toBeNull();
  await service.fault('chain', { delayMs: { getTransaction: 2_000 } });
  const underWay = mint(service, { signature, wallet: payer });
  const waiting = call(service, `/mint/status/${held.id}?wait=30`);
  // The request begins with its first call to the node.
  await expect.poll(() => asked('getTransaction')).toBeGreaterThan(0);

  const pid = service.app.pid() ?? 0;
  process.kill(pid, 'SIGTERM');
  const begun = performance.now();
  await expect
    .poll(() =>
      fetch(new URL('/health/live', service.baseUrl)).then(
        ({ status }) => status,
        () => 'refused',
      ),
    )
    .toBe('refused');
  const [answer, status] = await Promise.all([underWay, waiting]);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(status.body).toMatchObject({ success: true, mint_status: 'pending' });
  await expect.poll(() => service.said.join('\n')).toMatch(/app ended \(code 0\)/);
  expect(performance.now() - begun).toBeLessThan(BOUND_MS);

  await service.fault('chain', null);
  await service.fault('storage', null);
  const id = String(answer.body['receipt_id']);
  for (const one of [{ id, owner: payer.address }, held]) {
    await awaitStatus(service, one.id, { timeoutMs: 90_000 });
    expect(await countNfts(service.rpcUrl, one.owner)).toBe(1);
    const row = await service.prisma.mint.findUniqueOrThrow({ where: { id: one.id } });
    expect(row.attempts).toBe(0);
  }
});

it.runIf(hasCaddy() || process.env.CI)(
  'two processes restarted one after the other behind a load balancer: no client sees an error',
  async () => {
    const start = (port?: number) =>
      startAnotherApp({
        env: { ...service.appEnv, PUBLIC_URL: service.baseUrl, DRAIN_S: '10' },
        ...(port === undefined ? {} : { port }),
        onCrash: (how) => console.error(`an app behind the balancer ended: ${how}`),
      });
    const apps = [await start(), await start()] as const;
    const caddy = await startCaddy([apps[0].baseUrl, apps[1].baseUrl]);
    const load = startLoad({ ...service, baseUrl: caddy.baseUrl });
    try {
      for (const app of apps) {
        const before = load.answered();
        const stopping = app.app.stop();
        await expect
          .poll(() => fetch(`${app.baseUrl}/health/ready`).then(({ status }) => status))
          .toBe(503);
        const health = await fetch(`${app.baseUrl}/health`);
        expect([health.status, await health.json()]).toMatchObject([503, { ready: false }]);
        // A client that has not noticed yet is still served.
        expect((await fetch(`${app.baseUrl}/pricing`)).status).toBe(200);
        await stopping;
        await app.app.start();
        await expect.poll(() => load.answered() - before).toBeGreaterThan(20);
      }
    } finally {
      expect(await load.end()).toEqual([]);
      await caddy.close();
      await Promise.all(apps.map((app) => app.stop()));
    }
  },
);

/**
 * Reads and free receipts, several at once, until it is ended. `end` returns the answers that were
 * errors.
 */
function startLoad(to: TestService): { answered(): number; end(): Promise<string[]> } {
  let isOver = false;
  let count = 0;
  const faults: string[] = [];
  const note = (what: string, status: number) => {
    count += 1;
    if (status !== 200) faults.push(`${what}: ${status}`);
  };
  const repeat = async (what: string, ask: () => Promise<{ status: number }>) => {
    while (!isOver) {
      await ask().then(
        ({ status }) => note(what, status),
        (error: unknown) => faults.push(`${what}: ${String(error)}`),
      );
      await sleep(50);
    }
  };
  const reads = Array.from({ length: 3 }, () => repeat('pricing', () => call(to, '/pricing')));
  const mints = repeat('mint', async () => {
    const { payer, seller } = await makePair(to);
    const signature = await pay(to, { from: payer, to: seller, amount: 250_000n });
    return mint(to, { signature, wallet: payer });
  });
  return {
    answered: () => count,
    end: async () => {
      isOver = true;
      await Promise.all([...reads, mints]);
      return faults;
    },
  };
}

it('npm start, ended by Ctrl-C, ends every process that it started', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quittance-ctrl-c-'));
  chmodSync(dataDir, 0o755);
  const ports = await pickPorts();
  const child = spawn('npm', ['start'], {
    env: childEnv({ ...isolatedEnv(), ...ports, QUITTANCE_DATA_DIR: dataDir }),
    // Its own process group, like a terminal creates for a command.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await expect.poll(() => output, { timeout: 120_000 }).toMatch(/^ready /m);
  const started = readdirSync(join(dataDir, 'run'));
  expect(started).toEqual(expect.arrayContaining(['app.json', 'postgres.json', 'chain.json']));
  process.kill(-(child.pid ?? 0), 'SIGINT');
  expect(await ended, output).toBe(0);
  expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
  for (const port of Object.values(ports)) await expect(isTaken(Number(port))).resolves.toBe(false);
  rmSync(dataDir, { recursive: true });
});

async function leaseOf(id: string): Promise<string | null> {
  return (await service.prisma.mint.findUniqueOrThrow({ where: { id } })).leaseOwner;
}

async function asked(method: string): Promise<number> {
  return (await callsOfNode(service))[method] ?? 0;
}

async function isTaken(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}`).then(
    () => true,
    () => false,
  );
}
