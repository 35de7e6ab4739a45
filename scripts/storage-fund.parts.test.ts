import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startChain, type RunningChain } from '@/devnet/chain/start-chain';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { setFaults } from '@/devnet/client/set-faults';
import { startStorageNode, type RunningStorageNode } from '@/devnet/storage/start-storage-node';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { storageBalance } from '@/server/storage/request-storage';
import { bundleProgram } from '@/tests/harness/bundle-program';
import { runNode, type Ended } from '@/tests/harness/run-command';

/** Process starts with the client libraries, on a busy machine. */
const SLOW_MS = 360_000;
const FEE_LAMPORTS = 5_000n;

let dataDir: string;
let chain: RunningChain;
let node: RunningStorageNode;
let secret: Uint8Array;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'storage-fund-'));
  chain = await startChain({ slotMs: 100, finalityLag: 4 });
  node = await startStorageNode({ dataDir, port: 0, rpcUrl: chain.url });
});
afterAll(async () => {
  await node.close();
  await chain.close();
  await rm(dataDir, { recursive: true });
});
beforeEach(async () => {
  secret = makeEmbeddedKey();
  await fundWallet(chain.url, { wallet: publicKeyOf(secret), sol: 1 });
});

const holds = () => chain.chain.get(publicKeyOf(secret))?.lamports ?? 0n;
const credited = () => storageBalance({ uploadUrl: node.url, owner: publicKeyOf(secret) });

/** Runs the command against this test's chain and storage node. */
async function run(flags: string[], uploadUrl = node.url, storageKey = secret): Promise<Ended> {
  const key = (bytes: Uint8Array) => JSON.stringify([...bytes]);
  return runNode([await bundleProgram('scripts/storage-fund.ts'), ...flags], {
    cwd: process.cwd(),
    env: {
      NETWORK: 'local',
      SOLANA_RPC_URLS: chain.url,
      STORAGE_UPLOAD_URL: uploadUrl,
      STORAGE_GATEWAY_URL: uploadUrl,
      STORAGE_KEY: key(storageKey),
      MINTER_KEY: key(makeEmbeddedKey()),
      FEE_PAYER_KEY: key(makeEmbeddedKey()),
      PAY_TO: publicKeyOf(makeEmbeddedKey()),
    },
  });
}

const lines = ({ output }: Ended) => output.trim().split('\n');

test(
  'without --yes the transfer is only shown; with --yes it is sent and credited',
  async () => {
    const shown = await run(['--sol', '0.1']);
    expect(shown.code).toBe(1);
    expect(shown.output).toMatch(/^transfer +0\.1 SOL from /);
    expect(shown.output).toMatch(/^holds +1 SOL$/m);
    expect(lines(shown).at(-1)).toBe('nothing was sent: add --yes to send it');
    expect(holds()).toBe(1_000_000_000n);

    // One node takes the first report of a transfer, and the other refuses it once. Only the latter
    // gets a second report.
    const [willing, busy] = [await relay({ refusals: 0 }), await relay({ refusals: 1 })];
    const other = makeEmbeddedKey();
    await fundWallet(chain.url, { wallet: publicKeyOf(other), sol: 1 });
    const [atWilling, sent] = await Promise.all([
      run(['--sol', '0.1', '--yes'], willing.url, other),
      run(['--sol', '0.1', '--yes'], busy.url),
    ]);
    for (const { server } of [willing, busy]) end(server);
    for (const [ended, { url }] of [
      [atWilling, willing],
      [sent, busy],
    ] as const) {
      expect(ended.code, ended.output).toBe(0);
      expect(lines(ended).at(-1)).toBe(`balance   0.1 SOL at ${new URL(url).host}`);
    }
    expect([willing.reports(), busy.reports()]).toEqual([1, 2]);
    expect(holds()).toBe(900_000_000n - FEE_LAMPORTS);
    expect(await credited()).toBe(100_000_000n);
  },
  SLOW_MS,
);

test(
  'a run that ends after sending is finished by --resume with its signature, and pays once',
  async () => {
    // The transfer is sent, and the first status request ends the run.
    await setFaults(chain.url, { failMethods: { getSignatureStatuses: { status: 503 } } });
    const ended = await run(['--sol', '0.1', '--yes']);
    await setFaults(chain.url, null);
    expect(ended.code).toBe(1);
    const signature = /^sending +(\w+)/m.exec(ended.output)?.[1] ?? '?';
    expect(lines(ended).at(-1)).toContain(`npm run storage:fund -- --resume ${signature}`);
    expect(await credited()).toBe(0n);

    for (const resumed of [
      await run(['--resume', signature]),
      await run(['--resume', signature]),
    ]) {
      expect(resumed.code, resumed.output).toBe(0);
      expect(resumed.output).toContain('balance   0.1 SOL');
      expect(resumed.output).not.toContain('sending');
    }
    expect(holds()).toBe(900_000_000n - FEE_LAMPORTS);
    expect(await credited()).toBe(100_000_000n);
  },
  SLOW_MS,
);

test(
  'an impossible request is one clear line, and nothing is sent',
  async () => {
    const refusals: [flags: string[], line: string][] = [
      [['--sol=-1', '--yes'], '-1 is not an amount of SOL'],
      [['--sol', '1', '--resume', 'abc'], 'use either --sol or --resume (--help explains them)'],
    ];
    const [poor, ...refused] = await Promise.all([
      run(['--sol', '1', '--yes']),
      ...refusals.map(([flags]) => run(flags)),
    ]);
    for (const [at, ended] of refused.entries())
      expect([ended.code, lines(ended)]).toEqual([1, [refusals[at]?.[1]]]);
    expect([poor.code, lines(poor).at(-1)]).toEqual([1, 'the storage key lacks 0.000005 SOL']);
    expect(holds()).toBe(1_000_000_000n);
  },
  SLOW_MS,
);

test(
  'a storage node that is silent or answers wrongly is one clear line, and nothing is sent',
  async () => {
    const html = await serve((_, response) => response.end('<html>hello</html>'));
    const silent = await serve(() => undefined);
    const places = [
      { url: html.url, line: 'did not answer with its Solana address' },
      { url: silent.url, line: 'did not answer (nothing within 10000 ms)' },
    ];
    // A node that names another address after the first was shown.
    const addresses = Array.from({ length: 2 }, () => publicKeyOf(makeEmbeddedKey()));
    let asked = 0;
    const fickle = await serve((_, response) => {
      response.end(JSON.stringify({ addresses: { solana: addresses[asked++] } }));
    });
    const [moved, ...runs] = await Promise.all(
      [fickle, ...places].map(({ url }) => run(['--sol', '0.1', '--yes'], url)),
    );
    for (const { server } of [html, silent, fickle]) end(server);
    expect([moved?.code, moved && lines(moved).at(-1)]).toEqual([
      1,
      `nothing was sent: the storage node named another address, ${addresses[1]}`,
    ]);
    for (const [at, ended] of runs.entries()) {
      const { url, line } = places[at] ?? { url: chain.url, line: '?' };
      const text = `the storage account was not funded: ${new URL(url).host} ${line}`;
      expect([ended.code, lines(ended)]).toEqual([1, [text]]);
    }
    expect(holds()).toBe(1_000_000_000n);
  },
  SLOW_MS,
);

/** Forwards everything to the node, but refuses the first reports. `reports` counts them all. */
async function relay({ refusals }: { refusals: number }) {
  let reports = 0;
  const served = await serve(async (request, response) => {
    const { method = 'GET', url } = request;
    if (method === 'POST' && ++reports <= refusals) return void response.writeHead(503).end('busy');
    const answer = await fetch(`${node.url}${url}`, {
      method,
      ...(method === 'POST' && { body: await text(request) }),
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  return { ...served, reports: () => reports };
}

function end(server: Server): void {
  server.closeAllConnections();
  server.close();
}

async function serve(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, server };
}
