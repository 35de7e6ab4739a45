import { createServer, type Server } from 'node:http';
import { parseItem } from '@quittance/verify/storage/item-format';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { fetchItem } from './fetch-item';
import { StorageUnavailable } from './request-storage';
import { signByHand } from './sign-by-hand.fixture';

const secret = makeEmbeddedKey();
const key = { secret, publicKey: publicKeyOf(secret) };
const data = Buffer.from('{"amount":"1.5"}');
const tags = [{ name: 'App-Name', value: 'Quittance' }];
const anchorSeed = 'receipt:1:metadata:v1';
const item = signByHand({ key, data, contentType: 'application/json', tags, anchorSeed });
const { id } = item;
const description = {
  id,
  address: key.publicKey,
  signature: Buffer.from(parseItem(item.raw)?.signature ?? []).toString('base64url'),
  tags: [{ name: 'Content-Type', value: 'application/json' }, ...tags],
};

/** A gateway that answers each path of `served` with 200 and notes what it was asked for. */
let server: Server;
let host: string;
let served: Record<string, string | Uint8Array | undefined>;
let asked: string[];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const body = served[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  served = { [`/key/${id}`]: data, [`/key/tx/${id}`]: JSON.stringify(description) };
});

const fetched = (o: { id?: string; anchorSeed?: string } = {}) =>
  fetchItem({ id, anchorSeed, gatewayUrl: `http://${host}/key`, ...o });

test('an item is put together byte for byte from its data and its description', async () => {
  const found = await fetched();
  expect(found && { ...found, raw: Buffer.from(found.raw) }).toEqual(item);
});

test('an item that is absent, or whose data, tags or anchor are others, is null', async () => {
  expect(await fetched({ anchorSeed: 'receipt:2:metadata:v1' })).toBeNull();
  for (const [path, body] of [
    [id, undefined],
    [`tx/${id}`, undefined],
    [id, '{"amount":"2.5"}'],
    [`tx/${id}`, JSON.stringify({ ...description, tags: [] })],
    [`tx/${id}`, JSON.stringify({ ...description, address: 'nobody' })],
    [`tx/${id}`, JSON.stringify({ ...description, signature: '' })],
  ] as const) {
    const before = served[`/key/${path}`];
    served[`/key/${path}`] = body;
    expect([path, body, await fetched()]).toEqual([path, body, null]);
    served[`/key/${path}`] = before;
  }
});

test('an invalid description is an error without its text', async () => {
  for (const body of ['<html>\u001b[2J/key/secret</html>', 'null', '{}', '{"address":1}']) {
    served[`/key/tx/${id}`] = body;
    const error = new StorageUnavailable(`${host} did not describe the item`);
    await expect(fetched(), body).rejects.toThrow(error);
  }
});

test('nothing is asked for under a text that is no id', async () => {
  for (const wrong of ['', 'receipt.png', `${id}0`, `1${id}`])
    expect([wrong, await fetched({ id: wrong })]).toEqual([wrong, null]);
  expect(asked).toEqual([]);
});
