import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATIONS } from '../operations/operations';
import { openapiDocument } from './openapi-document';

const operator = {
  name: 'Example Receipts',
  contact: 'help@receipts.test',
  contactUri: 'mailto:help@receipts.test',
};
/** Below the packages, so that the clients find theirs. */
const CACHE = 'node_modules/.cache';

/** A purchase in the code of a stranger: ask, pay the offer, ask again, read. No cast, no `any`. */
const WITH_OPENAPI_FETCH = `import createClient from 'openapi-fetch';
import type { paths } from './paths.js';

const client = createClient<paths>({ baseUrl: 'https://quittance.test' });

export async function buy(
  txSignature: string,
  pay: (o: { payTo: string; amount: string; memo: string }) => Promise<string>,
): Promise<{ seller: string; amount: number }> {
  const body = { tx_signature: txSignature, service_type: 'API access' };
  const asked = await client.POST('/mint', { body });
  if (asked.response.status !== 402 || !asked.error || !('paymentRequirements' in asked.error))
    throw new Error('no offer');
  const [offer] = asked.error.paymentRequirements.accepts;
  if (!offer) throw new Error('an empty offer');
  const payment = await pay({ payTo: offer.payTo, amount: offer.maxAmount, memo: offer.extra.memo });
  const bought = await client.POST('/mint', { params: { header: { 'X-Payment': payment } }, body });
  if (!bought.data) throw new Error(JSON.stringify(bought.error));
  const receipt_id: string = bought.data.receipt_id;
  const { data } = await client.GET('/receipt/{receipt_id}', { params: { path: { receipt_id } } });
  if (!data) throw new Error('no receipt');
  return { seller: data.seller, amount: data.amount };
}
`;
const WITH_HEY_API = `import { createReceipt, readReceipt } from './hey/index.js';

export async function buy(
  txSignature: string,
  pay: (o: { payTo: string; amount: string; memo: string }) => Promise<string>,
): Promise<{ seller: string; amount: number }> {
  const body = { tx_signature: txSignature, service_type: 'API access' };
  const asked = await createReceipt({ body });
  if (asked.response?.status !== 402 || !asked.error || !('paymentRequirements' in asked.error))
    throw new Error('no offer');
  const [offer] = asked.error.paymentRequirements.accepts;
  if (!offer) throw new Error('an empty offer');
  const payment = await pay({ payTo: offer.payTo, amount: offer.maxAmount, memo: offer.extra.memo });
  const bought = await createReceipt({ headers: { 'X-Payment': payment }, body });
  if (!bought.data) throw new Error(JSON.stringify(bought.error));
  const receipt_id: string = bought.data.receipt_id;
  const { data } = await readReceipt({ path: { receipt_id } });
  if (!data) throw new Error('no receipt');
  return { seller: data.seller, amount: data.amount };
}
`;
/** Fields outside the description must not compile. Otherwise the two above would prove nothing. */
const WRONG = `import createClient from 'openapi-fetch';
import type { paths } from './paths.js';
import { readReceipt } from './hey/index.js';

const client = createClient<paths>({ baseUrl: 'https://quittance.test' });
export const one = client.POST('/mint', { body: { tx_signature: 'x' } });
export const two = readReceipt({ path: { receipt: 'x' } });
`;

let dir: string;
beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true });
  dir = mkdtempSync(join(CACHE, 'clients-'));
  const document = openapiDocument(
    { publicUrl: 'https://quittance.test', network: 'mainnet', operator },
    OPERATIONS,
  );
  const file = join(dir, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  writeFileSync(join(dir, 'paths.ts'), astToString(await openapiTS(JSON.stringify(document))));
  await createClient({
    input: file,
    output: { path: join(dir, 'hey'), module: { extension: '.js' } },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  });
  writeFileSync(join(dir, 'fetch.ts'), WITH_OPENAPI_FETCH);
  writeFileSync(join(dir, 'hey-api.ts'), WITH_HEY_API);
  writeFileSync(join(dir, 'wrong.ts'), WRONG);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('a purchase compiles with the clients of two generators, and a wrong one does not', () => {
  const names = ['fetch.ts', 'hey-api.ts', 'wrong.ts'].map((name) => join(dir, name));
  const program = ts.createProgram(names, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  const faults = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => ({
    file: file?.fileName.split('/').at(-1),
    text: ts.flattenDiagnosticMessageText(messageText, ' '),
  }));
  expect(faults.filter(({ file }) => file !== 'wrong.ts')).toEqual([]);
  expect(faults.map(({ text }) => text)).toEqual([
    expect.stringContaining("'service_type' is missing"),
    expect.stringContaining("'receipt' does not exist"),
  ]);
});
