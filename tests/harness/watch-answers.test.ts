import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import axios from 'axios';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { unwatchAnswers, watchAnswers } from './watch-answers';

const DOCUMENT = {
  openapi: '3.1.0',
  paths: {
    '/answer': {
      get: {
        responses: {
          200: {
            headers: {},
            content: { 'application/json': { schema: { type: 'object', required: ['id'] } } },
          },
        },
      },
    },
  },
  components: { schemas: { Error: { type: 'object', required: ['code'] } } },
};

let server: Server;
let url: string;
let answered: object;
const plainFetch = globalThis.fetch;

beforeEach(async () => {
  answered = { id: 'a' };
  server = createServer((asked, answer) => {
    answer.setHeader('content-type', 'application/json');
    answer.end(JSON.stringify(asked.url === '/openapi.json' ? DOCUMENT : answered));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await watchAnswers(url);
});
afterEach(() => {
  globalThis.fetch = plainFetch;
  server.close();
});

const ask: Record<string, () => Promise<unknown>> = {
  fetch: () => fetch(`${url}/answer`).then((answer) => answer.json()),
  axios: () => axios.get(`${url}/answer`, { proxy: false }).then(({ data }) => data),
  'node:http': () =>
    new Promise((resolve, reject) => {
      request(`${url}/answer`, (answer) =>
        text(answer).then(JSON.parse).then(resolve, reject),
      ).end();
    }),
};

it.each(Object.keys(ask))('a documented answer to %s is accepted', async (by) => {
  expect(await ask[by]?.()).toEqual({ id: 'a' });
  expect(() => unwatchAnswers(url)).not.toThrow();
});

it.each(Object.keys(ask))('an undocumented answer to %s is reported at the end', async (by) => {
  answered = { other: 1 };
  await ask[by]?.().catch(() => undefined);
  expect(() => unwatchAnswers(url)).toThrow(/GET \/answer 200: .*required property 'id'/);
});

it('a restart of a watched app ends no watch and loses no fault', async () => {
  answered = {};
  await ask['axios']?.();
  expect(await watchAnswers(url)).toBe(false);
  expect(() => unwatchAnswers(url)).toThrow('/answer');
});
