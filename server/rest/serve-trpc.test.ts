import { describe, expect, it } from 'vitest';
import * as envModule from '@/server/env';
import * as writeEventModule from './write-event';
import { standIn } from '@/tests/harness/stand-in';
import { z } from 'zod';
import { DEFAULT_BODY_BYTES } from './read-json';
import { serveTrpc } from './serve-trpc';

// The log and the refusals need settings, and there are none here.
standIn(writeEventModule, { writeRequestEvent: () => undefined });
standIn(envModule, { env: () => ({ publicUrl: 'https://quittance.test' }) });

const refusal = z.object({
  error: z.object({
    json: z.object({
      message: z.string(),
      data: z.looseObject({ code_word: z.string(), httpStatus: z.number() }),
    }),
  }),
});

const post = (headers: Record<string, string>, body: BodyInit, path = 'session.begin') =>
  serveTrpc(
    new Request(`http://127.0.0.1:3000/api/trpc/${path}`, { method: 'POST', headers, body }),
  );

function expectPrivate({ headers }: Response): void {
  expect(headers.get('cache-control')).toBe('no-store');
  expect(
    headers
      .get('vary')
      ?.toLowerCase()
      .split(/\s*,\s*/),
  ).toContain('cookie');
  expect(headers.get('access-control-allow-origin')).toBeNull();
}

describe('a body that is not declared as JSON', () => {
  const form = new FormData();
  form.set('address', 'x');
  it.each<[string, Record<string, string>, BodyInit]>([
    ['text', { 'content-type': 'text/plain' }, '{"json":{}}'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1'],
    ['a form with files', {}, form],
    ['bytes', { 'content-type': 'application/octet-stream' }, Buffer.from('{}')],
    ['a type of its own', { 'content-type': 'application/jsonx' }, '{"json":{}}'],
  ])('is a 415 in its own words that nobody keeps: %s', async (_, headers, body) => {
    const answer = await post(headers, body);
    expect(answer.status).toBe(415);
    const { message, data } = refusal.parse(await answer.json()).error.json;
    expect(data).toMatchObject({ code_word: 'unsupported_media_type', httpStatus: 415 });
    expect(message).toContain('Content-Type: application/json');
    expectPrivate(answer);
  });

  it('is a 415 in a batch as well', async () => {
    const type = { 'content-type': 'text/plain' };
    const answer = await post(type, '{}', 'session.begin,session.end?batch=1');
    expect(answer.status).toBe(415);
    expectPrivate(answer);
  });
});

it('a body that is too large is a 413 that nobody keeps', async () => {
  const answer = await post(
    { 'content-type': 'application/json' },
    'x'.repeat(DEFAULT_BODY_BYTES + 1),
  );
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({
    docs: 'https://quittance.test/docs#error-body_too_large',
  });
  expectPrivate(answer);
});
