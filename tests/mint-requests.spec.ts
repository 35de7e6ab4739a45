import { setTimeout as sleep } from 'node:timers/promises';
import bs58 from 'bs58';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { lockReceipts } from './harness/lock-receipts';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import {
  awaitStatus,
  call,
  callsOfNode,
  makePair,
  mint,
  pay,
  whenDone,
} from './harness/use-service';

let service: TestService;
let payer: Wallet;
let seller: Wallet;
let signature: string;

beforeAll(async () => {
  service = await sharedService();
  ({ payer, seller } = await makePair(service));
  signature = await pay(service, { from: payer, to: seller, amount: 750_000n });
});

const post = (body: string, headers: Record<string, string> = {}) =>
  call(service, '/mint', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

const details = z.looseObject({
  reasons: z.record(z.string(), z.looseObject({ code: z.string() })).optional(),
});

describe('a malformed request', () => {
  it.each<[name: string, change: object, fields: string[], reason?: string]>([
    ['none of the fields it needs', { invoice_id: '42' }, ['service_type', 'tx_signature']],
    ['an unknown field', { extra: 1 }, ['extra']],
    [
      'a signature of the wrong length',
      { tx_signature: bs58.encode(new Uint8Array(63)) },
      ['tx_signature'],
    ],
    [
      'a signature with foreign letters',
      { tx_signature: `${'0OIl'.repeat(22)}` },
      ['tx_signature'],
    ],
    ['a number for a label', { service_type: 5 }, ['service_type']],
    ['an empty label', { service_type: ' \u200b ' }, ['service_type'], 'empty'],
    ['a label that is too long', { service_type: 'x'.repeat(65) }, ['service_type'], 'too_long'],
    ['a link in a label', { service_type: 'see https://evil.example' }, ['service_type'], 'link'],
    ['a handle in a label', { invoice_id: '@someone' }, ['invoice_id'], 'handle'],
  ])('with %s is a 400 that names the fields', async (name, change, fields, reason) => {
    const isBare = name === 'none of the fields it needs';
    const base = isBare ? {} : { tx_signature: signature, service_type: 'API' };
    const { status, body } = await post(JSON.stringify({ ...base, ...change }));
    expect([status, body['code'], body['success'], body['status_code']]).toEqual([
      400,
      'invalid_request',
      false,
      400,
    ]);
    const { reasons = {}, ...named } = details.parse(body['details']);
    expect(Object.keys(named).sort()).toEqual(fields);
    expect(Object.entries(reasons).map(([field, { code }]) => [field, code])).toEqual(
      reason === undefined ? [] : fields.map((field) => [field, reason]),
    );
    expect(body['request_id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('that is not JSON, has another type, or is too large is refused without a call to the chain', async () => {
    const refusals = async () => {
      await service.fault('chain', null);
      expect((await post('{')).status).toBe(400);
      expect((await post('[]')).status).toBe(400);
      expect((await post('"text"')).status).toBe(400);
      expect((await post('{"a":1}', { 'content-type': 'text/plain' })).status).toBe(415);
      expect((await post(JSON.stringify({ service_type: 'x'.repeat(300_000) }))).status).toBe(413);
      return (await callsOfNode(service))['getTransaction'] ?? 0;
    };
    // Jobs of other tests on this service may ask in between. A refusal that asked would do so
    // every time.
    await expect.poll(refusals).toBe(0);
  });

  it.each([
    ['GET', '/mint', 405, 'method_not_allowed'],
    ['PUT', `/verify/${'1'.repeat(64)}`, 405, 'method_not_allowed'],
    ['GET', '/receipt/NOSUCHRECEIP', 404, 'receipt_not_found'],
    ['GET', '/receipt/nope/metadata.json', 404, 'receipt_not_found'],
    ['GET', '/mint/status/..%2f', 404, 'receipt_not_found'],
    ['GET', '/mint/nothing/here', 404, 'path_not_found'],
    ['GET', '/receipt/ABCDEFGHJKMN/other.txt', 404, 'path_not_found'],
    ['GET', '/verify', 404, 'path_not_found'],
    ['GET', '/verify/abc', 400, 'invalid_request'],
  ])('%s %s answers %i as JSON', async (method, path, status, code) => {
    const answer = await call(service, path, { method });
    expect([answer.status, answer.body['code'], answer.body['success']]).toEqual([
      status,
      code,
      false,
    ]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('an unknown path', () => {
  const PATHS = [
    '/x',
    '/x/y',
    '/r/unknown/x',
    '/docs/x',
    '/api/x',
    '/receipt',
    '/mint/status',
    '/s/a/b',
  ];
  it.each(PATHS)('%s is a JSON 404 for clients that do not ask for a page', async (path) => {
    for (const accept of ['application/json', '*/*'])
      for (const method of ['GET', 'POST', 'PUT']) {
        const answer = await call(service, path, { method, headers: { accept } });
        expect([answer.status, answer.body['code']]).toEqual([404, 'path_not_found']);
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      }
  });

  it.each([
    ['/x', 'text/html'],
    ['/docs/x', 'text/html'],
    ['/r/unknown/x', 'text/html'],
    ['/mint/nothing/here', 'application/json'],
  ])('%s shows a browser %s', async (path, type) => {
    const answer = await fetch(new URL(path, service.baseUrl), {
      headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    });
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([404, type]);
  });

  it.each(['/mint/', '//mint', '/pricing/', '/x/'])(
    '%s redirects to the clean path, also from pages of other sites',
    async (path) => {
      const url = `${service.baseUrl}${path}`;
      const led = await fetch(url, { redirect: 'manual' });
      expect([led.status, led.headers.get('access-control-allow-origin')]).toEqual([308, '*']);
      const asked = await fetch(url, { method: 'OPTIONS', redirect: 'manual' });
      expect(asked.status).toBe(path === '/x/' ? 404 : 204);
      expect(asked.headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  it.each([
    ['/mint', 'POST, OPTIONS'],
    ['/register', 'POST, DELETE, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('and a known path takes only the methods of its operations: %s', async (path, allow) => {
    const preflight = await fetch(new URL(path, service.baseUrl), { method: 'OPTIONS' });
    expect(preflight.headers.get('access-control-allow-methods')).toBe(allow);
    const wrong = await call(service, path, { method: 'PATCH' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, allow]);
  });

  it('a path that reads a cookie refuses other sites', async () => {
    const url = new URL('/dashboard/receipts.csv', service.baseUrl);
    for (const method of ['GET', 'OPTIONS', 'PUT']) {
      const answer = await fetch(url, { method });
      expect([...answer.headers.keys()].filter((one) => one.includes('allow-origin'))).toEqual([]);
    }
  });
});

describe('a hostile body', () => {
  it('that is not UTF-8 is refused: labels are permanent, so nothing is replaced', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`{"tx_signature":"${signature}","service_type":"ab`),
      Buffer.from([0xff, 0xc0, 0xaf]),
      Buffer.from('"}'),
    ]);
    const { status, body } = await call(service, '/mint', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bytes,
    });
    expect([status, body['code']]).toEqual([400, 'invalid_request']);
  });

  it('with a key of the prototype is a 400 that names it', async () => {
    const { status, body } = await post(
      `{"constructor":1,"tx_signature":"${signature}","service_type":"API"}`,
    );
    expect([status, body['details']]).toEqual([
      400,
      { constructor: 'is not a field of this request' },
    ]);
  });

  it('that is too large for REST is too large for tRPC', async () => {
    const { status, body } = await call(service, '/api/trpc/receipts.create', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `"${'x'.repeat(300 * 1024)}"`,
    });
    expect([status, body['code']]).toEqual([413, 'body_too_large']);
  });
});

describe('proof of wallet', () => {
  const headersOf = (wallet: Wallet, text: string) => ({
    'x-wallet-address': wallet.address,
    'x-wallet-signature': wallet.signText(text),
  });

  it('is needed for a free receipt, and the 401 shows the exact text to sign', async () => {
    const { status, body } = await mint(service, { signature });
    expect([status, body['code']]).toEqual([401, 'wallet_proof_missing']);
    expect(body['error']).toContain(`quittance:${signature}`);
  });

  it('that is incomplete, wrong, or for another text or wallet is a 401', async () => {
    const text = `quittance:${signature}`;
    const good = headersOf(payer, text);
    const wrong: Record<string, string>[] = [
      { 'x-wallet-address': payer.address },
      { 'x-wallet-signature': good['x-wallet-signature'] },
      { ...good, 'x-wallet-signature': 'nonsense' },
      { ...good, 'x-wallet-signature': seller.signText(text) },
      { ...good, 'x-wallet-address': seller.address },
      {
        ...good,
        'x-wallet-address': good['x-wallet-signature'],
        'x-wallet-signature': payer.address,
      },
      headersOf(payer, `quittance:${signature} `),
      headersOf(payer, `other:${signature}`),
    ];
    for (const headers of wrong)
      expect((await mint(service, { signature, headers })).status).toBe(401);
    expect(await service.prisma.receipt.count({ where: { txSignature: signature } })).toBe(0);
  });

  it('by a third wallet is a 403 that names it', async () => {
    const stranger = makeWallet();
    const { status, body } = await mint(service, { signature, wallet: stranger });
    expect([status, body['code']]).toEqual([403, 'not_a_participant']);
    expect(body['error']).toContain(stranger.address);
  });
});

describe('one receipt for one transaction', () => {
  it('however many ask at once; the others learn its id', async () => {
    const paid = await pay(service, { from: payer, to: seller, amount: 10_000n });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        // A request that meets the first one still at work gets 503.
        whenDone(() => mint(service, { signature: paid, wallet: n % 2 === 0 ? payer : seller })),
      ),
    );
    const outcomes = answers.map(({ status, body }) => [status, body['receipt_id']]);
    const id = answers.find(({ status }) => status === 200)?.body['receipt_id'];
    const others = Array.from({ length: 49 }, () => [409, id]);
    expect(outcomes.sort(([a], [b]) => Number(a) - Number(b))).toEqual([[200, id], ...others]);
    const [receipt] = await service.prisma.receipt.findMany({ where: { txSignature: paid } });
    expect(receipt?.id).toBe(id);
    expect(await service.prisma.reservation.count({ where: { txSignature: paid } })).toBe(0);
  });

  it('also for a crowd when the database has no free connection for seconds', async () => {
    const paid = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        pay(service, { from: payer, to: seller, amount: 11_000n + BigInt(n) }),
      ),
    );
    const release = await lockReceipts(service);
    const asked = Promise.all(paid.map((one) => mint(service, { signature: one, wallet: payer })));
    await sleep(4_000);
    await release();
    expect((await asked).map(({ status }) => status)).toEqual(paid.map(() => 200));
  });

  it('and a repeat answers 409 with success, the id and the state of the mint', async () => {
    const paid = await pay(service, { from: payer, to: seller, amount: 20_000n });
    const first = await mint(service, {
      signature: paid,
      wallet: seller,
      headers: { prefer: 'wait=20' },
      body: { transaction_type: 'sale', invoice_id: 'INV-7' },
    });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      success: true,
      mint_status: 'completed',
      asset_name: 'USDC',
      dtif_code: '5R3XFPZSM',
    });
    expect(first.body['mint_signature']).toMatch(/^[1-9A-HJ-NP-Za-km-z]{87,88}$/);
    const id = first.body['receipt_id'];
    const again = await mint(service, { signature: paid, wallet: payer });
    expect([again.status, again.body]).toEqual([
      409,
      expect.objectContaining({ success: true, receipt_id: id, mint_status: 'completed' }),
    ]);
    const bare = await mint(service, { signature: paid });
    expect(bare.status).toBe(409);
    expect((await mint(service, { signature: paid, wallet: makeWallet() })).status).toBe(403);

    const receipt = await call(service, `/receipt/${String(id)}`);
    expect(receipt.body).toMatchObject({
      payer: payer.address,
      seller: seller.address,
      amount: 0.02,
      amount_raw: '20000',
      reported_by: 'seller',
      transaction_type: 'sale',
      invoice_id: 'INV-7',
    });
  });
});

describe('the stored files', () => {
  it('are minted once, and served with the bytes that the gateway has', async () => {
    const paid = await pay(service, { from: payer, to: seller, amount: 30_000n });
    const { body } = await mint(service, { signature: paid, wallet: payer });
    const id = String(body['receipt_id']);
    const status = await awaitStatus(service, id);
    const row = await service.prisma.mint.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ status: 'completed', owner: payer.address, attempts: 0 });
    expect(status).toMatchObject({ mint_signature: row.mintSignature, asset_id: row.assetId });
    const bytes = async (url: string) => {
      const response = await fetch(url);
      return {
        bytes: Buffer.from(await response.arrayBuffer()),
        type: response.headers.get('content-type'),
      };
    };
    const receipt = (await call(service, `/receipt/${id}`)).body;
    for (const [path, uri, type] of [
      ['metadata.json', receipt['metadata_uri'], 'application/json'],
      ['image.png', receipt['image_uri'], 'image/png'],
    ]) {
      const ours = await bytes(`${service.baseUrl}/receipt/${id}/${String(path)}`);
      const gateway = await bytes(String(uri));
      expect(ours.bytes.equals(gateway.bytes)).toBe(true);
      expect(ours.type).toBe(type);
      expect(ours.bytes.length).toBeLessThan(100 * 1024);
    }
  });
});

describe('a fee', () => {
  it('is due from exactly 1 USD on, and without a payment nothing is written', async () => {
    const paid = await pay(service, { from: payer, to: seller, amount: 1_000_000n });
    const { status, body } = await mint(service, { signature: paid, wallet: payer });
    expect([status, body['code']]).toEqual([402, 'payment_required']);
    expect(await service.prisma.receipt.count({ where: { txSignature: paid } })).toBe(0);
  });
});

describe('tRPC', () => {
  it('refuses like REST, with the same error code', async () => {
    const response = await fetch(`${service.baseUrl}/api/trpc/receipts.create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: { tx_signature: signature, service_type: 'API' } }),
    });
    const body = (await response.json()) as {
      error: { json: { data: { code_word: string; stack?: string } } };
    };
    expect([response.status, body.error.json.data.code_word]).toEqual([
      401,
      'wallet_proof_missing',
    ]);
    expect(body.error.json.data.stack).toBeUndefined();
  });
});
