import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from '@/devnet/client/wallet';
import { ERRORS } from '@/server/errors';
import { curlLine } from '@/server/rest/openapi/curl-line';
import type { Operation } from '@/server/rest/operations/operation';
import { OPERATIONS } from '@/server/rest/operations/operations';
import { SAMPLES } from '@/server/rest/operations/samples';
import { insist } from './harness/insist';
import { runCurlLine } from './harness/run-curl-line';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { signIn } from './harness/use-dashboard';
import { makeSale } from './harness/use-payments';
import { aroundNow, awaitFinal, buy } from './harness/use-statements';
import { awaitStatus, call, freshReceipt, makePair, mint, pay } from './harness/use-service';

let service: TestService;
let page: string;
let anchors: ReadonlySet<string>;
beforeAll(async () => {
  service = await sharedService();
  const answer = await fetch(new URL('/docs', service.baseUrl), {
    headers: { accept: 'text/html' },
  });
  page = await answer.text();
  anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
});

it.each(Object.keys(ERRORS))('/docs has an entry for the error %s', (code) => {
  expect(anchors).toContain(`error-${code}`);
});

it('every link of /docs to a place in it finds that place', () => {
  const targets = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id = '']) => id);
  expect(targets.length).toBeGreaterThan(300);
  expect(targets.filter((id) => !anchors.has(id))).toEqual([]);
});

describe('an error answer leads to its entry on /docs', () => {
  it.each([
    ['a 404', 'receipt_not_found', () => call(service, '/receipt/ZZZZZZZZZZZZ')],
    ['an unknown path', 'path_not_found', () => call(service, '/x')],
    ['a 405', 'method_not_allowed', () => call(service, '/pricing', { method: 'POST' })],
    ['the price range', 'payment_required', () => call(service, '/mint', { method: 'POST' })],
    [
      'an offer',
      'payment_required',
      async () => mint(service, { signature: (await makeSale(service)).signature }),
    ],
  ])('%s', async (_, code, ask) => {
    const { body, headers } = await ask();
    const { docs } = body;
    expect([body['code'], headers.get('link')]).toEqual([code, `<${String(docs)}>; rel="help"`]);
    const { origin, pathname, hash } = new URL(String(docs));
    expect(`${origin}${pathname}`).toBe(`${service.baseUrl}/docs`);
    expect(anchors).toContain(hash.slice(1));
  });
});

describe('a curl line of /docs runs as it is printed', () => {
  /** Operations whose secret this service does not have, and the answer to callers without it. */
  const WITHOUT_SECRET: Readonly<Record<string, number>> = {
    noteTransactions: 404,
  };
  let wallet: Wallet;
  let known: Record<string, string>;
  beforeAll(async () => {
    const { payer, seller } = await makePair(service);
    wallet = payer;
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    await awaitFinal(service, [signature]);
    const body = { wallet_address: payer.address, transactions: [signature] };
    const { answer, payment } = await buy(service, { from: payer, body });
    const { id } = await freshReceipt(service);
    const statementId = String(answer.body['statement_id']);
    await awaitStatus(service, id);
    await insist('the statement is minted', 90_000, async () => {
      const { status } = await call(service, `/statement/${statementId}?wait=20`);
      return status === 200 ? true : null;
    });
    const { cookie } = await signIn(service, payer);
    const { period_start: start, period_end: end } = aroundNow();
    known = {
      TX_SIGNATURE: signature,
      WALLET: payer.address,
      COUNTERPARTY: seller.address,
      RECEIPT_ID: id,
      STATEMENT_ID: statementId,
      PAYMENT: payment,
      PERIOD_START: start,
      PERIOD_END: end,
      SESSION: cookie.split('=')[1] ?? '',
    };
  });

  it.each(OPERATIONS.filter(({ tag }) => tag !== 'Admin').map((one) => [one.id, one] as const))(
    '%s',
    async (id, operation) => {
      const line = curlLine(operation, service.baseUrl);
      expect(page).toContain(asHtml(line));
      const time = new Date().toISOString();
      const env = { ...known, TIME: time, SIGNATURE: wallet.signText(textOf(operation, time)) };
      const status = await runCurlLine(line, env);
      const described = Object.keys(operation.answers).map(Number);
      const wanted = WITHOUT_SECRET[id];
      expect(wanted === undefined ? [...described, ...offerOf(operation)] : [wanted]).toContain(
        status,
      );
    },
  );

  const offerOf = ({ price }: Operation) => (price === undefined ? [] : [402]);

  /** The text that `X-Wallet-Signature` of the operation names. */
  function textOf({ method, path, body }: Operation, time: string): string {
    if (path !== '/register') return `quittance:${known['TX_SIGNATURE']}`;
    if (method === 'delete') return `quittance:unregister:${wallet.address}:${time}`;
    const sent = JSON.stringify(body?.example).replaceAll(SAMPLES.WALLET, wallet.address);
    const json = canonicalize(JSON.parse(sent)) ?? '';
    const hash = createHash('sha256').update(json).digest('hex');
    return `quittance:register:${wallet.address}:${hash}:${time}`;
  }

  const asHtml = (text: string) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#x27;');
});
