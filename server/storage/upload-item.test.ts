import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '@/devnet/free-port';
import { startStorageNode, type RunningStorageNode } from '@/devnet/storage/start-storage-node';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { storageBalance, storagePrice, StorageUnavailable } from './request-storage';
import { signByHand } from './sign-by-hand.fixture';
import type { SignedItem } from './sign-item';
import { uploadItem } from './upload-item';

const secret = makeEmbeddedKey();
const key = { secret, publicKey: publicKeyOf(secret) };
let seed = 0;

let dataDir: string;
let node: RunningStorageNode;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'storage-upload-'));
  node = await startStorageNode({ dataDir, port: 0 });
});
afterAll(async () => {
  await node.close();
  await rm(dataDir, { recursive: true });
});
afterEach(() => fetch(`${node.url}/_faults`, { method: 'DELETE' }));

function makeItem(): SignedItem {
  const data = Buffer.from(`{"seed":${seed}}`);
  const anchorSeed = `seed:${seed++}`;
  return signByHand({ key, data, contentType: 'application/json', tags: [], anchorSeed });
}

const upload = (item: SignedItem, urls: { uploadUrl?: string; gatewayUrl?: string } = {}) =>
  uploadItem({ item, uploadUrl: node.url, gatewayUrl: node.url, timeoutMs: 2_000, ...urls });
const fault = async (body: object) => {
  const answer = await fetch(`${node.url}/_faults`, { method: 'POST', body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
};
const posts = async (item: SignedItem): Promise<number> =>
  (await (await fetch(`${node.url}/_faults`)).json()).uploads[item.id] ?? 0;
const readable = async (item: SignedItem) => (await fetch(`${node.url}/${item.id}`)).ok;

describe('against a node', () => {
  test('an upload is stored, and a second one of the same item as well', async () => {
    const item = makeItem();
    expect(await upload(item)).toEqual({ state: 'stored' });
    expect(await readable(item)).toBe(true);
    expect(await upload(item)).toEqual({ state: 'stored' });
  });

  test('an answer lost after storing counts as stored, without a second post', async () => {
    const item = makeItem();
    await fault({ dropAfterStore: 1 });
    expect(await upload(item)).toEqual({ state: 'stored' });
    expect(await posts(item)).toBe(1);
  });

  test('a connection dropped before storing is waited for, and the next upload is stored', async () => {
    const item = makeItem();
    await fault({ dropBeforeStore: 1 });
    expect((await upload(item)).state).toBe('unreachable');
    expect(await upload(item)).toEqual({ state: 'stored' });
  });

  test.each([400, 402, 403, 404, 413, 422])('an answer of %i is a refusal', async (code) => {
    const item = makeItem();
    await fault({ status: { code, body: 'no\n\u0000 such\tthing' } });
    const { host } = new URL(node.url);
    expect(await upload(item)).toEqual({
      state: 'refused',
      status: code,
      message: `${host} answered ${code}: no such thing`,
    });
  });

  test.each([302, 408, 429, 500, 502, 503])('an answer of %i is waited for', async (code) => {
    const item = makeItem();
    await fault({ status: { code, body: 'busy' } });
    expect((await upload(item)).state).toBe('unreachable');
    expect(await upload(item)).toEqual({ state: 'stored' });
  });

  test.each([402, 500, 200])(
    'an answer of %i for an item that is there is stored',
    async (code) => {
      const item = makeItem();
      await upload(item);
      await fault({ status: { code, body: 'nonsense' } });
      expect(await upload(item)).toEqual({ state: 'stored' });
    },
  );

  test('a 200 without a receipt, or with another item’s, is waited for', async () => {
    for (const body of ['thank you', '{}', JSON.stringify({ id: makeItem().id })]) {
      const item = makeItem();
      await fault({ status: { code: 200, body } });
      expect(await upload(item)).toMatchObject({
        state: 'unreachable',
        message: expect.stringContaining('answered 200 with something else'),
      });
    }
  });

  test('a 200 counts with a receipt whose signature is right, and is waited for with another', async () => {
    const item = makeItem();
    const body = new Uint8Array(item.raw);
    const given = await (await fetch(`${node.url}/tx/solana`, { method: 'POST', body })).json();
    const messageOn = async (receipt: object) => {
      await fault({ hideGateway: 1, status: { code: 200, body: JSON.stringify(receipt) } });
      const outcome = await upload(item);
      return outcome.state === 'unreachable' ? outcome.message : outcome.state;
    };
    expect(await messageOn(given)).toContain('took the item; not readable yet');
    const { id } = item;
    for (const wrong of [
      { ...given, timestamp: 1 },
      { ...given, signature: 'AAAA' },
      { ...given, public: 'AAAA' },
      { id },
    ])
      expect([wrong, await messageOn(wrong)]).toEqual([
        wrong,
        expect.stringContaining('signed its receipt wrongly'),
      ]);
    // The content of the gateway decides.
    await fault({ status: { code: 200, body: JSON.stringify({ id }) } });
    expect(await upload(item)).toEqual({ state: 'stored' });
  });

  test('a node that wants to be paid refuses', async () => {
    await fault({ requireFunds: true });
    expect(await upload(makeItem())).toMatchObject({ state: 'refused', status: 402 });
  });

  test('an item that the gateway does not serve yet is waited for', async () => {
    const item = makeItem();
    await fault({ hideGateway: 2 });
    expect(await upload(item)).toMatchObject({
      state: 'unreachable',
      message: expect.stringContaining('not readable yet'),
    });
    expect(await upload(item)).toMatchObject({
      state: 'unreachable',
      message: expect.stringContaining('had the item before; not readable yet'),
    });
    expect(await upload(item)).toEqual({ state: 'stored' });
  });

  test('a node that is down or too slow is waited for', async () => {
    const item = makeItem();
    await fault({ down: true });
    expect((await upload(item)).state).toBe('unreachable');
    await fault({ down: false, delayMs: 3_000 });
    const slow = uploadItem({ item, uploadUrl: node.url, gatewayUrl: node.url, timeoutMs: 100 });
    expect(await slow).toMatchObject({
      state: 'unreachable',
      message: expect.stringContaining('nothing within 100 ms'),
    });
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect(await upload(item, { uploadUrl: nowhere, gatewayUrl: nowhere })).toMatchObject({
      state: 'unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('balance and price are lamports', async () => {
    const account = { uploadUrl: node.url, owner: key.publicKey };
    expect(await storageBalance(account)).toBe(0n);
    expect(await storagePrice({ uploadUrl: node.url, bytes: 1000 })).toBe(0n);
    expect(await storagePrice({ uploadUrl: node.url, bytes: 1_024_000 })).toBe(12_000n);
  });
});

describe('against a server that misbehaves', () => {
  let server: Server;
  let listener: RequestListener;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/secret-access-key`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('a refusal does not count while it is not known whether the item is there', async () => {
    listener = (request, response) =>
      void response.writeHead(request.method === 'POST' ? 402 : 500).end('no');
    expect((await upload(makeItem(), { uploadUrl: url, gatewayUrl: url })).state).toBe(
      'unreachable',
    );
  });

  test('other bytes under the item’s id are not the item', async () => {
    listener = (_request, response) => void response.end('{"other":true}');
    expect(await upload(makeItem(), { gatewayUrl: url })).toMatchObject({
      state: 'unreachable',
      message: expect.stringContaining('serves other bytes'),
    });
  });

  test('an endless answer and one that trickles are not read to the end', async () => {
    listener = (_request, response) => {
      const send = () => {
        if (!response.destroyed) response.write(Buffer.alloc(65536), () => setImmediate(send));
      };
      send();
    };
    expect(await upload(makeItem(), { uploadUrl: url, gatewayUrl: url })).toMatchObject({
      state: 'unreachable',
      message: expect.stringMatching(/answered more than 65536 bytes; .*more than 102400 bytes/),
    });

    listener = (_request, response) => {
      const timer = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(timer));
    };
    // It would trickle for an hour.
    const item = makeItem();
    expect(
      await uploadItem({ item, uploadUrl: url, gatewayUrl: url, timeoutMs: 300 }),
    ).toMatchObject({
      state: 'unreachable',
      message: expect.stringContaining('within 300 ms'),
    });
  });

  test('no message quotes the path, which may hold an access key', async () => {
    for (const status of [402, 500]) {
      // Also if the node repeats the path, in whatever part of its answer.
      listener = ({ url }, response) =>
        void response.writeHead(status).end(`${' '.repeat(380)}Cannot POST ${url}`);
      const outcome = await upload(makeItem(), { uploadUrl: url, gatewayUrl: url });
      expect(JSON.stringify(outcome)).not.toContain('secret');
      expect(JSON.stringify(outcome)).toContain(new URL(url).host);
    }
    // And the key without the path.
    listener = (_request, response) => void response.writeHead(401).end('invalid key secret-KEY');
    const refused = await upload(makeItem(), {
      uploadUrl: `${url}/v1/secret-KEY`,
      gatewayUrl: url,
    });
    expect(JSON.stringify(refused)).not.toContain('secret');
    listener = (_request, response) => response.destroy();
    const outcome = await upload(makeItem(), { uploadUrl: url, gatewayUrl: url });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  test.each(['', '-5', '1.5', '1e3', '{"balance":"-1"}', '{"balance":1.5}', 'null'])(
    'a balance or price of %j is no answer',
    async (body) => {
      listener = (_request, response) => void response.end(body);
      const balance = storageBalance({ uploadUrl: url, owner: key.publicKey });
      await expect(balance).rejects.toThrow(StorageUnavailable);
      const price = storagePrice({ uploadUrl: url, bytes: 5 });
      await expect(price).rejects.toThrow(StorageUnavailable);
    },
  );
});
