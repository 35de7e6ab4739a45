import { describe, expect, it } from 'vitest';
import { openapiDocument } from '@/server/rest/openapi/openapi-document';
import { OPERATIONS } from '@/server/rest/operations/operations';
import { answerChecker } from './answer-checker';

const operator = { name: 'x', contact: 'a@b.test', contactUri: 'mailto:a@b.test' };
const check = answerChecker(
  openapiDocument({ publicUrl: 'https://x.test', network: 'local', operator }, OPERATIONS),
);
const status = { method: 'GET', path: '/mint/status/0123456789AB' };
const json = (code: number, body: unknown, headers: Record<string, string> = {}) => ({
  status: code,
  headers: new Headers({ 'content-type': 'application/json; charset=utf-8', ...headers }),
  text: JSON.stringify(body),
});
const good = { success: true, receipt_id: '0123456789AB', mint_status: 'pending' };
const refusal = (code: string, status_code: number) => ({
  success: false,
  error: 'x',
  request_id: 'x',
  docs: `https://x.test/docs#error-${code}`,
  code,
  status_code,
});

const page = { status: 404, headers: new Headers({ 'content-type': 'text/html' }), text: null };

describe('an answer that matches its description', () => {
  it.each([
    ['a body', status, json(200, good, { 'ratelimit-limit': '5' })],
    ['a refusal', status, json(404, refusal('receipt_not_found', 404))],
    ['a sentence', status, json(429, { error: 'later' })],
    ['no path', { method: 'GET', path: '/x' }, json(404, refusal('path_not_found', 404))],
    ['no method', { ...status, method: 'PUT' }, json(405, refusal('method_not_allowed', 405))],
    [
      'OPTIONS with a slash too many',
      { method: 'OPTIONS', path: '//mint/' },
      { ...json(204, 0), text: null },
    ],
    [
      'a path that cannot be decoded',
      { method: 'GET', path: '/receipt/%' },
      json(400, refusal('invalid_request', 400)),
    ],
    ['a page', { method: 'GET', path: '/x', wantsPage: true }, page],
    ['HEAD', { ...status, method: 'HEAD' }, { ...json(200, null), text: '' }],
  ])('is accepted: %s', (_, asked, answer) => expect(check(asked, answer)).toBeNull());
});

describe('an answer that is not', () => {
  it.each([
    ['an unknown field', status, json(200, { ...good, more: 1 }), 'additional properties'],
    ['a field that is missing', status, json(200, { success: true }), 'required'],
    ['a wrong word', status, json(200, { ...good, mint_status: 'done' }), 'allowed values'],
    ['an invalid address', status, json(200, { ...good, metadata_uri: 'x y' }), 'format'],
    ['an unknown status', status, json(418, good), 'status 418'],
    ['a code of another operation', status, json(404, refusal('payment_unknown', 404)), 'allowed'],
    ['another type', status, { ...json(200, good), headers: new Headers() }, 'the type none'],
    [
      ...(['an unknown limit', { method: 'GET', path: '/version' }] as const),
      ...([json(200, {}, { 'ratelimit-limit': '5' }), 'ratelimit-limit'] as const),
    ],
    ['a 200 of no path', { method: 'GET', path: '/x' }, json(200, {}), 'no operation'],
    ['a page for a client that wants JSON', { method: 'GET', path: '/x' }, page, 'text/html'],
    ['an odd 404 of no path', { method: 'GET', path: '/x' }, json(404, {}), 'required'],
  ])('is reported: %s', (_, asked, answer, fault) => expect(check(asked, answer)).toContain(fault));
});
