import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestService } from './harness/start-service';

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { ADMIN_TOKEN: TOKEN }, holdRaw: false });
});
afterAll(() => service.close());

const TOKEN = 'operator-of-the-tests-0123456789abcdef';
const SIGNATURE = '5'.repeat(87);
const WALLET = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';

const PATHS = [
  ...['/mint', '/mint/status/@', '/verify/@', '/calculate/@', '/receipt/@', '/receipt/@/proof'],
  ...['/receipt/@/metadata.json', '/receipt/@/image.png', '/wallet/@/receipts', '/wallet/@/export'],
  ...['/payments/@', '/pricing', '/admin/mints', '/admin/mints/@', '/admin/mints/@/retry'],
  ...['/admin/held', '/admin/held/release', '/admin/payments/@', '/admin/refunds', '/r/@', '/@'],
  ...['/admin/undecided', '/admin/withdrawals', '/admin/reconciliation'],
  ...['/api/trpc/receipts.find', '/api/trpc/receipts.create', '/api/trpc/@', '/metrics', '/health'],
];

/** Text that a header can hold. Node refuses everything else. */
const headerText = fc.string({ maxLength: 200 }).map((one) => one.replace(/[^\x20-\x7e]/g, '~'));
const base64 = fc.jsonValue().map((one) => Buffer.from(JSON.stringify(one)).toString('base64'));
const payload = fc
  .record({
    x402Version: fc.constantFrom<unknown>(1, 2, 3, '1'),
    scheme: fc.constantFrom('exact', ''),
    network: fc.string(),
    accepted: fc.jsonValue(),
    payload: fc.record({ transaction: fc.oneof(fc.base64String(), fc.string()) }),
  })
  .map((one) => Buffer.from(JSON.stringify(one)).toString('base64'));
const word = fc.oneof(
  fc.constantFrom(
    SIGNATURE,
    WALLET,
    '000000000000',
    '..',
    '%00',
    '%2e%2e%2f',
    '%',
    '%ff',
    '\u202e',
  ),
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const headers = fc.dictionary(
  fc.constantFrom(
    ...['x-payment', 'payment-signature', 'x-wallet-address', 'x-wallet-signature', 'prefer'],
    ...['content-type', 'x-forwarded-for', 'authorization', 'origin', 'cookie', 'range', 'accept'],
    ...['if-none-match', 'x-http-method-override', 'next-action', 'rsc', 'x-middleware-subrequest'],
  ),
  fc.oneof(
    headerText,
    base64,
    payload,
    fc.constantFrom('application/json', SIGNATURE, WALLET, `Bearer ${TOKEN}`, 'wait=1'),
  ),
  { maxKeys: 5 },
);
const query = fc.dictionary(
  fc.constantFrom(
    ...['country', 'format', 'wait', 'counterparty', 'period_start', 'period_end', 'status'],
    ...['cursor', 'input', 'batch', '__proto__'],
  ),
  fc.oneof(word, fc.constantFrom('1', 'DE', 'csv', '2026-01-01', '{"json":null}')),
  { maxKeys: 3 },
);
const body = fc.oneof(
  fc.constant(''),
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .record(
      {
        tx_signature: fc.oneof(fc.constant(SIGNATURE), fc.jsonValue()),
        service_type: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
        transaction_type: fc.jsonValue(),
        invoice_id: fc.jsonValue(),
        receipt_ids: fc.jsonValue(),
        __proto__: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((one) => JSON.stringify(one)),
);

type Call = {
  method: string;
  path: string;
  word: string;
  headers: Record<string, string>;
  query: Record<string, string>;
  body: string;
};

it('no request, however malformed, is answered 500, hangs, or ends the process', async () => {
  const pid = service.app.pid();
  const calls = fc.record({
    method: fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'),
    path: fc.constantFrom(...PATHS),
    word,
    headers,
    query,
    body,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 8, maxLength: 8 }), async (group) => {
      const answers = await Promise.all(group.map(send));
      for (const [index, { status, content }] of answers.entries()) {
        expect(status, JSON.stringify([group[index], content.slice(0, 300)])).not.toBe(500);
        expect(status).toBeGreaterThan(0);
      }
    }),
    { numRuns: 60, interruptAfterTimeLimit: 60_000, endOnFailure: true },
  );
  expect(service.app.pid()).toBe(pid);
  const health = await fetch(new URL('/health/live', service.baseUrl));
  expect(health.status).toBe(200);
});

/**
 * Sent without a client library, because a library would correct the faults. Node's own refusals
 * (400, 431) count.
 */
function send(call: Call): Promise<{ status: number; content: string }> {
  const { hostname, port } = new URL(service.baseUrl);
  const word = [...call.word].map((one) => (/[!-~]/.test(one) ? one : encode(one))).join('');
  const search = new URLSearchParams(call.query).toString();
  const path = call.path.replace('@', word) + (search === '' ? '' : `?${search}`);
  const hasBody = !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(call.method);
  return new Promise((resolve, reject) => {
    const { method } = call;
    const sent = request(
      { hostname, port, method, path, headers: call.headers, timeout: 90_000 },
      (response) => {
        text(response).then(
          (content) => resolve({ status: response.statusCode ?? 0, content }),
          reject,
        );
      },
    );
    sent.once('timeout', () => sent.destroy(new Error(`no answer to ${method} ${path}`)));
    sent.once('error', reject);
    sent.end(hasBody ? call.body : undefined);
  });
}

function encode(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16)}`).join('');
}
