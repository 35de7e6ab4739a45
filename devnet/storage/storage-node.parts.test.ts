import { constants, createPublicKey, randomBytes, verify } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createData,
  deepHash,
  EthereumSigner,
  HexSolanaSigner,
  SolanaSigner,
  stringToBuffer,
} from '@irys/bundles/node';
import bs58 from 'bs58';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeEmbeddedKey } from '@/server/keys';
import { startStorageNode, type RunningStorageNode } from './start-storage-node';

const secret = makeEmbeddedKey();
const owner = bs58.encode(secret.subarray(32));
const LARGE = 100 * 1024;

let dataDir: string;
let node: RunningStorageNode;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'storage-node-'));
  node = await startStorageNode({ dataDir, port: 0 });
});
afterEach(async () => {
  await node.close();
  await rm(dataDir, { recursive: true });
});

async function makeItem(data: string | Uint8Array, contentType = 'application/json') {
  const signer = new HexSolanaSigner(bs58.encode(secret));
  const tags = [{ name: 'Content-Type', value: contentType }];
  const item = createData(data, signer, { tags, anchor: randomBytes(16).toString('hex') });
  await item.sign(signer);
  return { id: item.id, raw: item.getRaw() };
}

const post = (raw: Uint8Array, path = '/tx/solana') =>
  fetch(`${node.url}${path}`, {
    method: 'POST',
    body: new Uint8Array(raw),
    headers: { 'content-type': 'application/octet-stream' },
  });
const get = (path: string) => fetch(`${node.url}${path}`);
const fault = (body: object) =>
  fetch(`${node.url}/_faults`, { method: 'POST', body: JSON.stringify(body) });
const restart = async () => {
  await node.close();
  node = await startStorageNode({ dataDir, port: 0 });
};

describe('an item made by the SDK’s own library', () => {
  test('comes back byte for byte with its content type, readable from any page', async () => {
    const data = randomBytes(5000);
    const { id, raw } = await makeItem(data, 'image/png');
    expect((await post(raw)).status).toBe(200);
    const answer = await get(`/${id}`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(Buffer.from(await answer.arrayBuffer()).equals(data)).toBe(true);
    const head = await fetch(`${node.url}/${id}`, { method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['5000', '']);
  });

  test('is described with the data needed to check its signature', async () => {
    const { id, raw } = await makeItem('{}');
    await post(raw);
    const described = await (await get(`/tx/${id}`)).json();
    expect(described).toMatchObject({ id, address: owner, currency: 'solana', data_size: '2' });
    expect(Buffer.from(described.signature, 'base64url').equals(raw.subarray(2, 66))).toBe(true);
    expect(Buffer.from(described.anchor, 'base64url').equals(raw.subarray(100, 132))).toBe(true);
    expect(await (await get(`/tx/${id}/tags`)).json()).toEqual([
      { name: 'Content-Type', value: 'application/json' },
    ]);
    expect(await (await get(`/tx/${id}/data`)).text()).toBe('{}');
    expect((await get(`/tx/${id}/status`)).status).toBe(200);
  });

  test('gets a receipt signed by the key that the node publishes, and the query gives the same', async () => {
    const { id, raw } = await makeItem('{}');
    const receipt = await (await post(raw)).json();
    const n = await (await get('/public')).text();
    const parts = [
      'Bundlr',
      receipt.version,
      id,
      String(receipt.deadlineHeight),
      String(receipt.timestamp),
    ];
    const signed = await deepHash(parts.map((part) => stringToBuffer(part)));
    const key = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const signature = Buffer.from(receipt.signature, 'base64url');
    expect(verify('sha256', signed, { key, padding }, signature)).toBe(true);
    const query = `query { transactions(ids: ["${id}"]) { edges { node { receipt { signature } } } } }`;
    const answer = await fetch(`${node.url}/graphql`, {
      method: 'POST',
      body: JSON.stringify({ query }),
    });
    const { data } = await answer.json();
    expect(data.transactions.edges[0].node.receipt).toEqual(receipt);
  });

  test('is answered with 201 when it comes again, and stored once', async () => {
    const { id, raw } = await makeItem('{}');
    await post(raw);
    const again = await post(raw);
    expect(again.status).toBe(201);
    expect(await again.text()).toBe(`Transaction ${id} already received`);
    expect(await readdir(join(dataDir, 'stored-items'))).toEqual([id]);
  });
});

describe('an upload is refused', () => {
  test('when any single byte of it was changed', async () => {
    const { raw } = await makeItem('{"a":1}');
    const flips = [...raw.keys()].map((at) => [at, 1]);
    // The flags of target and anchor: 2 and 3 are neither "there" nor "absent".
    for (const [at = 0, bit = 0] of [...flips, [98, 2], [99, 2]]) {
      const tampered = Buffer.from(raw);
      tampered[at] = (tampered[at] ?? 0) ^ bit;
      expect([at, bit, (await post(tampered)).status]).toEqual([at, bit, 400]);
    }
    expect(await readdir(join(dataDir, 'stored-items'))).toEqual([]);
  });

  test('when it is cut short or empty', async () => {
    const { raw } = await makeItem('{"a":1}');
    for (const length of [0, 1, 79, 150, raw.length - 1])
      expect((await post(raw.subarray(0, length))).status).toBe(400);
  });

  test('when it is paid in another token or signed by another kind of key', async () => {
    const { raw } = await makeItem('{}');
    expect((await post(raw, '/tx/ethereum')).status).toBe(400);
    for (const signer of [
      new EthereumSigner(randomBytes(32).toString('hex')),
      new SolanaSigner(bs58.encode(secret)), // signs the bare digest: type 2, not 4
    ]) {
      const other = createData('{}', signer);
      await other.sign(signer);
      expect((await post(other.getRaw())).status).toBe(400);
    }
  });

  test('when it is not small and its owner paid nothing in', async () => {
    const { id, raw } = await makeItem(randomBytes(LARGE));
    const answer = await post(raw);
    expect(answer.status).toBe(402);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect((await get(`/${id}`)).status).toBe(404);
    expect(await (await get(`/price/solana/${LARGE - 1}`)).text()).toBe('0');
    expect(await (await get(`/price/solana/${LARGE}`)).text()).toBe('1200');
  });
});

describe('an acknowledged item', () => {
  test('is there after a restart, with the same keys', async () => {
    const { id, raw } = await makeItem('{"kept":true}');
    await post(raw);
    const before = [await (await get('/public')).text(), await (await get('/info')).json()];
    await restart();
    expect(await (await get(`/${id}`)).text()).toBe('{"kept":true}');
    expect((await post(raw)).status).toBe(201);
    const after = [await (await get('/public')).text(), await (await get('/info')).json()];
    expect(after[0]).toBe(before[0]);
    expect(after[1].addresses).toEqual(before[1].addresses);
  });

  test('is absent as a whole when the process died before all of it was written', async () => {
    const { id, raw } = await makeItem('{}');
    await writeFile(join(dataDir, 'stored-items', `${id}.abc.tmp`), '{"id":');
    await restart();
    expect((await get(`/${id}`)).status).toBe(404);
    expect((await post(raw)).status).toBe(200);
    expect(await (await get(`/${id}`)).text()).toBe('{}');
    expect(await readdir(join(dataDir, 'stored-items'))).toEqual([id]);
  });
});

describe('an item that the node could not write', () => {
  test('is answered with an error and absent, even after a restart, until it is posted again', async () => {
    const { id, raw } = await makeItem('{}');
    await rm(join(dataDir, 'stored-items'), { recursive: true });
    expect((await post(raw)).status).toBe(500);
    expect((await get(`/${id}`)).status).toBe(404);
    await restart();
    expect((await get(`/${id}`)).status).toBe(404);
    expect((await post(raw)).status).toBe(200);
    expect(await (await get(`/${id}`)).text()).toBe('{}');
  });
});

describe('fault switches', () => {
  test('lose the answer of an upload that was stored, and count the posts', async () => {
    const { id, raw } = await makeItem('{}');
    await fault({ dropAfterStore: 1 });
    await expect(post(raw)).rejects.toThrow();
    expect((await get(`/${id}`)).status).toBe(200);
    expect((await post(raw)).status).toBe(201);
    expect((await (await get('/_faults')).json()).uploads).toEqual({ [id]: 2 });
  });

  test('store nothing when they drop, answer or reject an upload', async () => {
    const { id, raw } = await makeItem('{}');
    await fault({ dropBeforeStore: 1 });
    await expect(post(raw)).rejects.toThrow();
    await fault({ status: { code: 503, body: 'busy' } });
    expect(await (await post(raw)).text()).toBe('busy');
    await fault({ requireFunds: true });
    expect((await post(raw)).status).toBe(402);
    await fault({ down: true });
    await expect(post(raw)).rejects.toThrow();
    await fetch(`${node.url}/_faults`, { method: 'DELETE' });
    expect((await get(`/${id}`)).status).toBe(404);
    expect((await post(raw)).status).toBe(200);
  });

  test('hide the gateway’s items for this many reads', async () => {
    const { id, raw } = await makeItem('{}');
    await post(raw);
    await fault({ hideGateway: 2 });
    const seen = [await get(`/${id}`), await get(`/${id}`), await get(`/${id}`)];
    expect(seen.map((answer) => answer.status)).toEqual([404, 404, 200]);
  });

  test('forge the file of one item, whose record stays', async () => {
    const [{ id, raw }, other] = [await makeItem('{"n":1}'), await makeItem('{"n":1}')];
    for (const posted of [raw, other.raw]) await post(posted);
    await fault({ forge: { id, from: '1', to: '2' } });
    expect(await (await get(`/${id}`)).text()).toBe('{"n":2}');
    expect(await (await get(`/${other.id}`)).text()).toBe('{"n":1}');
  });

  test('with an unknown name are refused', async () => {
    expect((await fault({ dropEverything: 1 })).status).toBe(400);
  });
});
