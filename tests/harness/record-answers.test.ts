import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { recordAnswers } from './record-answers';
import { tempFolder } from './temp-folder';

const real = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = real;
});

const URL_ASKED = 'https://receipts.example/mint';
it.each<[string, Parameters<typeof fetch>]>([
  ['get', [URL_ASKED]],
  ['post', [URL_ASKED, { method: 'POST' }]],
  ['post', [new Request(URL_ASKED, { method: 'POST' })]],
  ['put', [new Request(URL_ASKED, { method: 'POST' }), { method: 'PUT' }]],
])(
  'an answer to %s is stored under this method, however the request was made',
  async (method, asked) => {
    globalThis.fetch = async () => Response.json({}, { headers: { 'x-quittance-version': '1' } });
    const folder = tempFolder('answers');
    recordAnswers(folder);
    await fetch(...asked);
    const [name = ''] = readdirSync(folder);
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({
      method,
      path: '/mint',
    });
  },
);
