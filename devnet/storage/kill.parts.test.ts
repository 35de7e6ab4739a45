import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createData, HexSolanaSigner } from '@irys/bundles/node';
import bs58 from 'bs58';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '@/devnet/free-port';
import { makeEmbeddedKey } from '@/server/keys';
import { bundleProgram } from '@/tests/harness/bundle-program';

const ITEMS = 40;
const UPLOADERS = 8;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let dataDir: string;
let process_: ChildProcess | undefined;
let url: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'storage-kill-'));
});
afterEach(async () => {
  await kill();
  await rm(dataDir, { recursive: true });
});

/** The node as the embedded stack runs it, in a separate process. */
async function start(): Promise<void> {
  const port = await freePort();
  const env = { ...process.env, QUITTANCE_DATA_DIR: dataDir, STORAGE_PORT: `${port}` };
  const child = spawn(process.execPath, [await bundleProgram('devnet/storage/main.ts')], { env });
  process_ = child;
  url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const ready = /^ready (\S+)$/m.exec(said)?.[1];
      if (ready) resolve(ready);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${said}`)));
  });
}

async function kill(): Promise<void> {
  const child = process_;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function makeItems() {
  const signer = new HexSolanaSigner(bs58.encode(makeEmbeddedKey()));
  return Promise.all(
    Array.from({ length: ITEMS }, async () => {
      const data = randomBytes(20_000);
      const item = createData(data, signer);
      await item.sign(signer);
      return { id: item.id, raw: new Uint8Array(item.getRaw()), sha256: sha256(data) };
    }),
  );
}

const post = (raw: Uint8Array<ArrayBuffer>) =>
  fetch(`${url}/tx/solana`, { method: 'POST', body: raw });

test('after a kill during uploads every item is complete or absent, and no acknowledged one is lost', async () => {
  const items = await makeItems();
  const acknowledged = new Set<string>();
  // Kills early in the stream and in its middle.
  await start();
  for (const share of [0.2, 0.8]) {
    const waiting = items.filter(({ id }) => !acknowledged.has(id));
    const killAt = acknowledged.size + Math.ceil(waiting.length * share * 0.5);
    let killed: Promise<void> | undefined;
    const upload = async () => {
      for (let item = waiting.pop(); item && !killed; item = waiting.pop()) {
        const status = await post(item.raw).then(
          (answer) => answer.status,
          () => null,
        );
        if (status !== null) expect([200, 201]).toContain(status);
        if (status !== null) acknowledged.add(item.id);
        if (acknowledged.size >= killAt) killed ??= kill();
      }
    };
    await Promise.all(Array.from({ length: UPLOADERS }, upload));
    await killed;

    await start();
    for (const item of items) {
      const answer = await fetch(`${url}/${item.id}`);
      if (acknowledged.has(item.id)) expect(answer.status).toBe(200);
      else expect([200, 404]).toContain(answer.status);
      const body = new Uint8Array(await answer.arrayBuffer());
      if (answer.status === 200) expect(sha256(body)).toBe(item.sha256);
    }
  }
  expect(acknowledged.size).toBeLessThan(ITEMS);
  for (const item of items) expect([200, 201]).toContain((await post(item.raw)).status);
}, 480_000);
