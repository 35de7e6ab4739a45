import { generateKeyPairSync } from 'node:crypto';
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRateServer } from '@/devnet/rates/start-rate-server';
import { childEnv } from '../environment';
import { GENESIS_HASH } from '@quittance/verify/network';
import { startFakeNode, type FakeNode } from '@/tests/harness/chain/fake-node';
import { publicKeyOf } from '@/server/keys';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { isolatedEnv } from '../isolated-env';

/** A process start with the client libraries, on a busy machine. */
const SLOW_MS = 360_000;
const SECRETS = [
  'rpc-secret',
  'event-secret',
  'signkey-secret',
  'admin-secret-0123456789-0123456789',
];

let database: TestDatabase;
let node: FakeNode;
let lost: FakeNode;
let rates: Awaited<ReturnType<typeof startRateServer>>;
let storage: Server;
const asked: string[] = [];

/** A cluster without accounts. */
const answers: Record<string, unknown> = {
  getSlot: 312_345_678,
  getGenesisHash: GENESIS_HASH.mainnet,
  getMinimumBalanceForRentExemption: 2_039_280,
  getBalance: { context: { slot: 1 }, value: 0 },
  getAccountInfo: { context: { slot: 1 }, value: null },
};
const cluster = (changes: Record<string, unknown> = {}) =>
  startFakeNode(({ method }) => ({ result: { ...answers, ...changes }[method] ?? null }));

beforeAll(async () => {
  database = await createTestDatabase();
  node = await cluster();
  lost = await cluster({ getGenesisHash: GENESIS_HASH.devnet });
  rates = await startRateServer({ port: 0 });
  storage = createServer((request, response) => {
    asked.push(`${request.headers.host?.split('.')[0]} ${request.url}`);
    if (request.url?.startsWith('/price/')) response.end('1200');
    else if (request.url?.startsWith('/e/')) response.end('{"ids":["1"],"status":200}');
    else response.end('{"balance":"0"}');
  });
  await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await Promise.all([node.close(), lost.close(), rates.close(), database.close()]);
  storage.closeAllConnections();
  storage.close();
});

/** The same server under the public name that a real network requires. */
const named = (name: string, url: string) =>
  url.replace('127.0.0.1', `${name}.doctor.example`).replace('=secret', '=rpc-secret');

function makeKey(): { secret: string; address: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const bytes = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]);
  return { secret: bs58.encode(bytes), address: publicKeyOf(bytes) };
}

/** `npm run doctor` for mainnet, with the servers of this test as the only outside world. */
function run(env: Record<string, string>): Promise<{ code: number | null; out: string }> {
  const preload = ['--import', 'tsx', '--import', './scripts/doctor/resolve-here.fixture.ts'];
  const child = spawn(process.execPath, [...preload, 'scripts/doctor.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnv({ ...isolatedEnv(), ...env }),
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (out += part.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}

describe('the doctor of a real network', () => {
  it(
    'checks each upstream, and prints the commands of the set-up in order, with their cost and no secret',
    async () => {
      const [minter, store, feePayer, payTo] = [makeKey(), makeKey(), makeKey(), makeKey()];
      const address = storage.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      const at = (name: string) => `http://${name}.doctor.example:${port}`;
      const { code, out } = await run({
        NETWORK: 'mainnet',
        PUBLIC_URL: 'https://shop.doctor.example:9',
        OPERATOR_NAME: 'Example Receipts',
        OPERATOR_CONTACT: 'help@example.com',
        DATABASE_URL: database.url,
        SOLANA_RPC_URLS: `${named('node', node.url)},${named('lost', lost.url).replace('.doctor.', '.doctor-two.')}`,
        STORAGE_UPLOAD_URL: at('upload'),
        STORAGE_GATEWAY_URL: at('gateway'),
        INNGEST_BASE_URL: at('jobs'),
        INNGEST_EVENT_KEY: 'event-secret',
        INNGEST_SIGNING_KEY: 'signkey-prod-signkey-secret',
        ADMIN_TOKEN: 'admin-secret-0123456789-0123456789',
        MINTER_KEY: minter.secret,
        STORAGE_KEY: store.secret,
        FEE_PAYER_KEY: feePayer.secret,
        PAY_TO: payTo.address,
        RATES_URL: named('rates', rates.url),
        SOL_PRICE_URL: named('rates', rates.url),
        RATES_DATED_URL: `${named('rates', rates.url)}/dated/{date}/v1`,
      });
      const lines = out.split('\n').map((line) => line.trim());
      const line = (start: string) => {
        const found = lines.find((one) => one.startsWith(start));
        expect(found, `${start} in\n${out}`).toBeDefined();
        return found ?? '';
      };

      // Checks that passed and checks that failed.
      expect(line('ok     node http://node.')).toContain('slot 312345678 in');
      expect(line('FAILED node http://lost.')).toContain('does not lead to mainnet');
      expect(line('FAILED database')).toContain('embedded PostgreSQL');
      expect(line('ok     connections: ')).toContain('enough for 15 processes');
      expect(line('ok     storage: ')).toContain('100 KiB cost 0.0000012 SOL');
      expect(line('ok     gateway')).toContain('answers 200');
      expect(line('ok     job server')).toContain('no process of the service runs');
      expect(line('ok     rates: ')).toContain('EUR/GBP');
      expect(line('ok     rates, second source')).toContain('GBP');
      expect(line('ok     price of SOL')).toContain('SOL');
      expect(line('FAILED payments to')).toContain('does not exist');
      expect(code).toBe(1);
      for (const name of ['upload', 'gateway', 'jobs'])
        expect(
          asked.some((one) => one.startsWith(name)),
          name,
        ).toBe(true);

      // The next steps, in order, each with its cost.
      const next = lines.slice(lines.indexOf('Steps of the set-up, in order') + 1);
      const commands = next.flatMap((one) => /^(?:to do|done) +(.*)/.exec(one)?.[1] ?? []);
      expect(commands.map((command) => command.split(' ').slice(0, 3).join(' '))).toEqual([
        'npm run migrate',
        `solana transfer ${minter.address}`,
        'npm run tree:create',
        `solana transfer ${feePayer.address}`,
        'spl-token create-account EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
        `fund ${store.address} at`,
        'npm start',
      ]);
      const open = next.filter((one) => one.startsWith('to do'));
      const costs = next.filter((one) => one.startsWith('costs '));
      expect(costs).toHaveLength(open.length);
      expect(costs.filter((one) => /^costs [\d.]+ SOL/.test(one)).length).toBeGreaterThanOrEqual(4);

      for (const secret of [...SECRETS, minter.secret, store.secret, feePayer.secret])
        expect(out).not.toContain(secret);
      expect(out).toContain(`public key ${minter.address}`);
    },
    SLOW_MS,
  );
});
