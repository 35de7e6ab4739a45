import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordAnswers } from './record-answers';

const real = globalThis.fetch;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-answers-'));
});
afterEach(() => {
  globalThis.fetch = real;
  rmSync(folder, { recursive: true });
});

const URL_ASKED = 'https://receipts.example/mint';
it.each<[string, Parameters<typeof fetch>]>([
  ['get', [URL_ASKED]],
  ['post', [URL_ASKED, { method: 'POST' }]],
  ['post', [new Request(URL_ASKED, { method: 'POST' })]],
  ['put', [new Request(URL_ASKED, { method: 'POST' }), { method: 'PUT' }]],
])('an answer to %s is kept under this method, however it was asked for', async (method, asked) => {
  globalThis.fetch = async () => Response.json({}, { headers: { 'x-quittance-version': '1' } });
  recordAnswers(folder);
  await fetch(...asked);
  const [name = ''] = readdirSync(folder);
  expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({
    method,
    path: '/mint',
  });
});
