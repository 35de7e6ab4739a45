import superjson from 'superjson';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeWallet } from '@/devnet/client/wallet';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { signIn, type Browser } from './harness/use-dashboard';

let service: TestService;
let browser: Browser;
const seller = makeWallet();
beforeAll(async () => {
  service = await sharedService();
  browser = await signIn(service, seller);
});

const refusalBody = z.object({
  error: z.object({
    json: z.object({
      message: z.string(),
      data: z.looseObject({ code_word: z.string(), httpStatus: z.number() }),
    }),
  }),
});

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(new URL(`/api/trpc/${path}`, service.baseUrl), {
    ...init,
    headers: { cookie: browser.cookie, origin: service.baseUrl, ...init.headers },
  });
  return { response, body: (await response.json()) as unknown };
}
/** All receipts of the wallet as a seller, with their countries. */
const ROWS = {
  wallet: seller.address,
  role: 'seller',
  first_day: '2026-01-01',
  last_day: '2026-12-31',
};
const CSV = '/dashboard/receipts.csv?first_day=2026-01-01&last_day=2026-12-31&role=';
const input = (value: unknown) => encodeURIComponent(JSON.stringify(superjson.serialize(value)));

describe('a body that is not declared as JSON', () => {
  const form = new FormData();
  form.set('address', 'x');
  it.each<[string, Record<string, string>, BodyInit]>([
    ['text', { 'content-type': 'text/plain' }, '{"json":{}}'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1'],
    ['a form with files', {}, form],
    ['bytes', { 'content-type': 'application/octet-stream' }, Buffer.from('{}')],
    ['an invented type', { 'content-type': 'application/jsonx' }, '{"json":{}}'],
  ])('is a 415 that says so: %s', async (_, headers, body) => {
    const answer = await ask('session.begin', { method: 'POST', headers, body });
    expect(answer.response.status).toBe(415);
    const { message, data } = refusalBody.parse(answer.body).error.json;
    expect(data).toMatchObject({ code_word: 'unsupported_media_type', httpStatus: 415 });
    expect(message).toContain('Content-Type: application/json');
  });

  it('is accepted with a charset, and a body that is not JSON is a 400 that says so', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const answer = await ask('session.begin', { method: 'POST', headers, body: '{' });
    expect(answer.response.status).toBe(400);
    const { message, data } = refusalBody.parse(answer.body).error.json;
    expect(data.code_word).toBe('invalid_request');
    expect(message).toContain('not valid JSON');
  });
});

describe('an answer that may depend on a session', () => {
  it.each<[string, number, () => Promise<Response>]>([
    ['receipts with countries', 200, get(`dashboard.rows?input=${input(ROWS)}`)],
    [
      'several calls in one',
      200,
      get(
        `dashboard.rows,session.read?batch=1&input=${encodeURIComponent(
          JSON.stringify({ 0: superjson.serialize(ROWS) }),
        )}`,
      ),
    ],
    ['a refused call', 400, get(`dashboard.rows?input=${input({ ...ROWS, role: 'nobody' })}`)],
    ['an unknown procedure', 404, get('dashboard.nothing')],
    ['a wrong method', 405, get('dashboard.setLabel')],
    ['a wrong type', 415, post('dashboard.setLabel', { 'content-type': 'text/plain' }, 'x')],
    [
      'a body that is too large',
      413,
      post('session.begin', { 'content-type': 'application/json' }, 'x'.repeat(300_000)),
    ],
    ['the CSV', 200, page(`${CSV}seller`)],
    ['a refused CSV', 400, page(`${CSV}nobody`)],
    ['a CSV without a session', 401, page(`${CSV}seller`, {})],
  ])('is not cached: %s', async (_, status, answer) => {
    const { status: seen, headers } = await answer();
    expect(seen).toBe(status);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(
      headers
        .get('vary')
        ?.toLowerCase()
        .split(/\s*,\s*/),
    ).toContain('cookie');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is not cached: the page itself', async () => {
    const { status, headers } = await page('/dashboard')();
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('no-store');
  });
});

function get(path: string): () => Promise<Response> {
  return async () => (await ask(path)).response;
}

function post(path: string, headers: Record<string, string>, body: string) {
  return async () => (await ask(path, { method: 'POST', headers, body })).response;
}

function page(path: string, headers?: Record<string, string>): () => Promise<Response> {
  return () =>
    fetch(new URL(path, service.baseUrl), { headers: headers ?? { cookie: browser.cookie } });
}
