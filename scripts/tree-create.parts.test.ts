import { spawn } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startChain, type RunningChain } from '@/devnet/chain/start-chain';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { childEnv } from './environment';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { bundleProgram } from '@/tests/harness/bundle-program';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';

/** A process start with the client libraries, on a busy machine. */
const SLOW_MS = 360_000;
const SMALL = ['--depth', '3', '--buffer', '8', '--canopy', '0'];

let database: TestDatabase;
let chain: RunningChain;
let secret: Uint8Array;

beforeAll(async () => {
  database = await createTestDatabase();
  chain = await startChain({ slotMs: 100, finalityLag: 8 });
});
afterAll(async () => {
  await chain.close();
  await database.close();
});
beforeEach(async () => {
  await database.prisma.tree.deleteMany();
  await database.prisma.collection.deleteMany();
  secret = makeEmbeddedKey();
});

const fund = () => fundWallet(chain.url, { wallet: publicKeyOf(secret), sol: 1 });
const balance = () => chain.chain.get(publicKeyOf(secret))?.lamports ?? 0n;

/** Runs the command against this test's chain and database, with no terminal. */
async function run(
  flags: string[],
  settings: Record<string, string> = {},
): Promise<{ code: number | null; out: string }> {
  const program = await bundleProgram('scripts/tree-create.ts');
  const child = spawn(process.execPath, [program, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnv({
      NETWORK: 'local',
      DATABASE_URL: database.url,
      SOLANA_RPC_URLS: chain.url,
      MINTER_KEY: JSON.stringify([...secret]),
      STORAGE_KEY: JSON.stringify([...makeEmbeddedKey()]),
      FEE_PAYER_KEY: JSON.stringify([...makeEmbeddedKey()]),
      PAY_TO: publicKeyOf(makeEmbeddedKey()),
      ...settings,
    }),
  });
  let out = '';
  child.stdout.on('data', (part) => (out += String(part)));
  child.stderr.on('data', (part) => (out += String(part)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}

test(
  'the cost is shown, and nothing is spent before a person says yes',
  async () => {
    await fund();
    const before = balance();
    const { code, out } = await run(SMALL);
    expect(code).toBe(1);
    expect(out).toMatch(/size +1304 bytes/);
    expect(out).toMatch(/capacity +8 receipts/);
    expect(out).toMatch(/cost +0\.01\d* SOL/);
    expect(out).toMatch(/balance +1 SOL/);
    expect(out).toContain('--yes');
    expect(balance()).toBe(before);
    expect(await database.prisma.tree.count()).toBe(0);
  },
  SLOW_MS,
);

test(
  'with --yes a tree is made and recorded; with --if-none no second one is',
  async () => {
    await fund();
    const made = await run([...SMALL, '--yes', '--if-none']);
    expect(made.code, made.out).toBe(0);
    const [tree] = await database.prisma.tree.findMany();
    expect(made.out).toContain(`tree ${tree?.address ?? '?'}`);
    expect(tree).toMatchObject({ network: 'local', creator: publicKeyOf(secret), capacity: 8n });
    const kept = { orderBy: { holds: 'asc' } } as const;
    const collections = await database.prisma.collection.findMany(kept);
    const minter = publicKeyOf(secret);
    expect(collections).toMatchObject([
      { network: 'local', minter, kind: 'standard', holds: 'receipt', retiredAt: null },
      { network: 'local', minter, kind: 'standard', holds: 'statement', retiredAt: null },
    ]);
    for (const { address, holds } of collections) {
      expect(made.out).toContain(`collection of ${holds ?? '?'}s ${address}`);
      const { data } = chain.chain.get(address) ?? {};
      expect(Buffer.from(data ?? []).toString()).toContain(`quittance ${holds ?? '?'}s`);
    }
    // The shown amount is spent, once.
    const cost = /cost +([\d.]+) SOL/.exec(made.out)?.[1] ?? '';
    expect(Number(1_000_000_000n - balance())).toBe(Math.round(Number(cost) * 1e9));
    const again = await run([...SMALL, '--yes', '--if-none']);
    expect(again.code, again.out).toBe(0);
    expect(again.out).toContain('space for 8');
    expect(await database.prisma.tree.count()).toBe(1);
    expect(await database.prisma.collection.findMany(kept)).toEqual(collections);

    // An installation from before there were collections gets them without another tree.
    await database.prisma.collection.deleteMany({ where: { holds: 'statement' } });
    const added = await run(['--collections', '--yes']);
    expect(added.code, added.out).toBe(0);
    expect(await database.prisma.collection.count()).toBe(2);
    expect(await database.prisma.tree.count()).toBe(1);

    // An installation that turns frozen receipts on gets their collection, once.
    const on = { FROZEN_RECEIPTS: '1' };
    const frozen = await run(['--collections', '--yes'], on);
    expect(frozen.out).toMatch(/collection of frozen receipts \w{32,44}/);
    expect(await database.prisma.collection.findMany({ where: { kind: 'frozen' } })).toMatchObject([
      { network: 'local', minter, holds: 'receipt', retiredAt: null },
    ]);
    expect((await run(['--collections', '--yes'], on)).out).toContain('nothing to do');
  },
  SLOW_MS,
);

test(
  'a minter without enough SOL is one clear line',
  async () => {
    const { code, out } = await run([...SMALL, '--yes']);
    expect(code).toBe(1);
    expect(out.trim().split('\n').at(-1)).toMatch(/^the minter lacks 0\.01\d* SOL$/);
  },
  SLOW_MS,
);

test(
  'a size that the programs do not offer is one clear line',
  async () => {
    const { code, out } = await run(['--depth', '14', '--buffer', '8', '--yes']);
    expect(code).toBe(1);
    expect(out.trim()).toBe('depth 14 needs a buffer of 64 or 256 or 1024 or 2048, not 8');
  },
  SLOW_MS,
);
