import { createServer, type Server } from 'node:http';
import { Socket } from 'node:net';
import { SystemInstruction, type Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { localSigner, makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { parseItem } from '@quittance/verify/storage/item-format';
import { verifyItem } from '@quittance/verify/storage/verify-item';
import { fundAccount, postDataItem, reportTransfer, signDataItem } from './irys';
import { StorageUnavailable } from './request-storage';

const secret = makeEmbeddedKey();
const owner = publicKeyOf(secret);
const signer = localSigner({ secret, publicKey: owner });
const item = {
  data: Buffer.from('{"amount":"1.5"}'),
  tags: [{ name: 'Content-Type', value: 'application/json' }],
  anchor: '0123456789abcdef'.repeat(2),
};
const nodeWallet = publicKeyOf(makeEmbeddedKey());
const latestBlockhash = { blockhash: bs58.encode(Buffer.alloc(32, 7)), lastValidBlockHeight: 150n };

const target = z.object({ host: z.string(), port: z.coerce.number() });

/** A storage node that notes each request and gives the answers of `answers`. */
let server: Server;
let port: number;
let requests: string[];
let answers: Record<string, { status?: number; body: string }>;
/** Host and port of each connection that this process opens. */
let connections: string[] = [];
/** The first item, by the library that was loaded for it. */
let signed: Awaited<ReturnType<typeof signDataItem>>;
beforeAll(async () => {
  server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    requests.push(line);
    request.resume();
    const { status = 200, body } = answers[line] ?? { status: 404, body: 'unknown' };
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
  const connect = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...to) {
    const { host, port } = target.parse([to[0]].flat()[0]);
    connections.push(`${host}:${port}`);
    return Reflect.apply(connect, this, to);
  });
  // Loads the library.
  signed = await signDataItem({ signer, ...item });
  expect(connections).toEqual([]);
});
afterAll(() => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
  connections = [];
  answers = {};
});

/** The URL has a path, like one with an access key. */
const node = () => ({
  uploadUrl: `http://127.0.0.1:${port}/key`,
  timeoutMs: 2_000,
  mostBytes: 65_536,
});
const post = async (raw: Uint8Array) => postDataItem({ raw, node: node() });
const fund = (send: (transaction: Transaction) => Promise<void> = async () => undefined) =>
  fundAccount({ signer, node: node(), lamports: 100_000_000n, latestBlockhash, send });

test('each call sends one request, all to the node of the settings, and loading and signing none', async () => {
  const { id, raw } = signed;
  answers = {
    'POST /key/tx/solana': { body: JSON.stringify({ id }) },
    'GET /key/info': { body: JSON.stringify({ addresses: { solana: nodeWallet } }) },
    'POST /key/account/balance/solana': { body: '' },
  };
  expect((await post(raw)).answer).toMatchObject({ ok: true, status: 200 });
  expect(requests.splice(0)).toEqual(['POST /key/tx/solana']);
  await fund();
  expect(requests.splice(0)).toEqual(['GET /key/info', 'POST /key/account/balance/solana']);
  const reported = await reportTransfer({ node: node(), signature: 'any' });
  expect(reported).toMatchObject({ ok: true, status: 200 });
  expect(requests.splice(0)).toEqual(['POST /key/account/balance/solana']);
  expect(new Set(connections)).toEqual(new Set([`127.0.0.1:${port}`]));
});

test('an item has our anchor, the same id at each signing, and a signature that our own check takes', async () => {
  const { id, raw } = await signDataItem({ signer, ...item });
  expect(id).toBe(signed.id);
  expect(verifyItem(raw)).toBe(true);
  expect(Buffer.from(parseItem(raw)?.anchor ?? []).toString()).toBe(item.anchor);
  // A key in a key management service: an address, and signatures that take their time.
  const remote = {
    publicKey: owner,
    signMessage: async (message: Uint8Array) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return signer.signMessage(Uint8Array.from(message));
    },
  };
  expect((await signDataItem({ signer: remote, ...item })).id).toBe(id);
});

test('an item that its key did not sign is refused before anybody learns its id', async () => {
  const other = makeEmbeddedKey();
  const { signMessage } = localSigner({ secret: other, publicKey: publicKeyOf(other) });
  const signing = signDataItem({ signer: { publicKey: owner, signMessage }, ...item });
  await expect(signing).rejects.toThrow('the storage key did not sign the item');
});

test('a report that the node refuses goes out once: the caller decides when to repeat it', async () => {
  answers = { 'POST /key/account/balance/solana': { status: 500, body: 'busy' } };
  const answer = await reportTransfer({ node: node(), signature: 'any' });
  expect(answer).toMatchObject({ ok: true, status: 500 });
  expect(requests).toEqual(['POST /key/account/balance/solana']);
});

test('the transfer that is signed pays the named sum to the named address, and nothing else', async () => {
  answers = {
    'GET /key/info': { body: JSON.stringify({ addresses: { solana: nodeWallet } }) },
    'POST /key/account/balance/solana': { status: 202, body: '' },
  };
  const sent: Transaction[] = [];
  await fund(async (transaction) => void sent.push(transaction));
  const [transaction] = sent;
  expect(transaction?.verifySignatures()).toBe(true);
  const [instruction, ...others] = transaction?.instructions ?? [];
  if (!instruction) throw new Error('the transaction is empty');
  const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(instruction);
  expect([fromPubkey.toBase58(), toPubkey.toBase58(), BigInt(lamports), others]).toEqual([
    owner,
    nodeWallet,
    100_000_000n,
    [],
  ]);
  // A transfer that the caller does not send is not reported.
  requests = [];
  await expect(fund(() => Promise.reject(new Error('not sent')))).rejects.toThrow('not sent');
  expect(requests).toEqual(['GET /key/info']);
});

test('a transfer is credited where the node answers 200 to its report, and where it answers anything else not yet', async () => {
  const info = { body: JSON.stringify({ addresses: { solana: nodeWallet } }) };
  for (const [status, isCredited] of [
    [200, true],
    [202, false],
    [400, false],
    [503, false],
  ] as const) {
    answers = { 'GET /key/info': info, 'POST /key/account/balance/solana': { status, body: 'x' } };
    requests = [];
    expect([status, await fund()]).toEqual([status, { isCredited }]);
    expect(requests).toEqual(['GET /key/info', 'POST /key/account/balance/solana']);
  }
});

test.each([
  ['a page', 502, '<html><body>Bad gateway</body></html>'],
  ['control characters', 500, '\u001b[2J\u0007busy\r\n'],
  ['the access key in the path of its URL', 404, 'Cannot GET /key/info'],
  ['nothing', 204, ''],
])('the error for an answer with %s has only the host and the status', async (_, status, body) => {
  answers = { 'GET /key/info': { status, body } };
  await expect(fund()).rejects.toThrow(
    new StorageUnavailable(`127.0.0.1:${port} answered ${status}`),
  );
  expect(requests).toEqual(['GET /key/info']);
});

test('a signer that is an object of a class keeps its state', async () => {
  class Signer {
    readonly publicKey = owner;
    readonly #inner = signer;
    async signMessage(message: Uint8Array): Promise<Uint8Array> {
      return this.#inner.signMessage(message);
    }
  }
  expect((await signDataItem({ signer: new Signer(), ...item })).id).toBe(signed.id);
});
