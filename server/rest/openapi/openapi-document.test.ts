import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ERRORS } from '@/server/errors';
import { LABEL_RULES } from '@/server/receipts/label-rules';
import { HIDING_RULES, llmsText, RATE_RULES, READING_RULES, STATEMENT_RULES } from './llms-text';
import { EXAMPLE_ANSWERS, openapiDocument } from './openapi-document';
import { OPERATIONS } from '../operations/operations';

const operator = {
  name: 'Example Receipts',
  contact: 'help@example.com',
  contactUri: 'mailto:help@example.com',
};
const service = { publicUrl: 'https://quittance.example', network: 'mainnet', operator };
const document = openapiDocument(service, OPERATIONS);
const read = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        responses: z.record(z.string(), z.looseObject({ description: z.string() })),
      }),
    ),
  ),
});

it.each(OPERATIONS.map(({ path }) => path))('describes %s, which the app serves', (path) => {
  const folder = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const [first = '', ...rest] = name.split('_');
    return `[${first}${rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}]`;
  });
  expect(existsSync(join('app', folder, 'route.ts'))).toBe(true);
});

it('is made of schemas and the catalogue: each refusal names its codes', () => {
  const { paths } = read.parse(document);
  const mint = paths['/mint']?.['post'];
  expect(JSON.stringify(mint)).toContain('"required":["tx_signature","service_type"]');
  expect(mint?.responses['402']?.description).toContain('payment_required');
  const ids = Object.values(paths).flatMap((one) => Object.values(one).map((o) => o.operationId));
  expect(new Set(ids).size).toBe(OPERATIONS.length);
});

it.each([
  ['https://quittance.example', '__Host-quittance'],
  ['http://127.0.0.1:3000', 'quittance'],
])('names the cookie that a sign-in on %s sets', (publicUrl, name) => {
  expect(openapiDocument({ ...service, publicUrl }, OPERATIONS)).toMatchObject({
    components: { securitySchemes: { session: { in: 'cookie', name } } },
  });
});

/** Answers with a body of their own: operation, status and schema. */
const ANSWERS = OPERATIONS.filter(
  // The description is its own example.
  ({ tag, id }) => tag !== 'Admin' && id !== 'readDescription',
).flatMap(({ id, answers }) =>
  Object.entries(answers).flatMap(([status, answer]) =>
    'schema' in answer ? [[id, status, answer.schema] as const] : [],
  ),
);

it('has an example of every answer, which scripts/pick-examples.ts adds', () => {
  const without = ANSWERS.filter(([id, status]) => EXAMPLE_ANSWERS[id]?.[status] === undefined);
  expect(without.map(([id, status]) => `${id} ${status}`)).toEqual([]);
});

it.each(ANSWERS.filter(([id, status]) => EXAMPLE_ANSWERS[id]?.[status] !== undefined))(
  'has an example of %s %s that its own schema takes',
  (id, status, schema) => {
    const { error } = schema.safeParse(EXAMPLE_ANSWERS[id]?.[status]);
    expect(error?.issues ?? []).toEqual([]);
  },
);

it('lists the proofs, and the admin paths behind their token', () => {
  const { paths } = read.parse(document);
  for (const path of ['/receipt/{receipt_id}/proof', '/statement/{statement_id}/proof'])
    expect(paths[path]?.['get']?.responses['404']?.description).toContain('_not_found');
  const served = readdirSync('app/admin', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('/route.ts') && !file.includes('[...'))
    .map((file) =>
      `/admin/${file.slice(0, -'/route.ts'.length)}`.replace('[receiptId]', '{receipt_id}'),
    )
    .map((path) => path.replace('[signature]', '{signature}'));
  expect(Object.keys(paths).filter((path) => path.startsWith('/admin'))).toEqual(
    expect.arrayContaining(served),
  );
  for (const [path, methods] of Object.entries(paths))
    for (const operation of Object.values(methods))
      expect(JSON.stringify(operation['security'] ?? null).includes('adminToken'), path).toBe(
        path.startsWith('/admin'),
      );
});

it('lists every code that an answer can carry', () => {
  const text = JSON.stringify(document);
  for (const code of Object.keys(ERRORS)) expect(text).toContain(`"${code}"`);
});

it('names the prices of paid operations, for clients that read before they ask', () => {
  expect(document).toMatchObject({
    paths: {
      '/mint': { post: { 'x-payment-info': { protocols: ['x402'], pricingMode: 'range' } } },
      '/verify/{tx_signature}': {
        get: expect.not.objectContaining({ 'x-payment-info': expect.anything() }),
      },
    },
  });
});

const answerOf = (path: string, method = 'get') => {
  const operation = read.parse(document).paths[path]?.[method];
  return JSON.stringify(operation?.responses['200'] ?? null);
};
const BESIDE = ['other_legs', 'goods', 'change', 'paid_with', 'left_out', 'fee_withheld', 'prices'];

it.each([
  ['/receipt/{receipt_id}', 'get', BESIDE],
  ['/verify/{tx_signature}', 'get', [...BESIDE, 'amount_sent', 'payer_kind']],
  ['/statement', 'post', ['row_count', 'skipped', 'left_out', 'leg', 'fee_withheld_raw']],
  ['/statement/{statement_id}', 'get', ['row_count', 'skipped', 'left_out', 'changes']],
  ['/calculate/{tx_signature}', 'get', ['rate_source', 'rate_date', 'rate_provisional']],
])('%s has the fields of every leg and rate', (path, method, fields) => {
  const schema = answerOf(path, method);
  for (const field of fields) expect(schema, field).toContain(`"${field}":`);
});

it('says how a transaction is read and where rates come from, like /llms.txt', () => {
  const llms = llmsText({ ...service, serviceName: 'x' }, OPERATIONS);
  const text = JSON.stringify(document);
  for (const one of [
    ...READING_RULES,
    ...LABEL_RULES,
    ...STATEMENT_RULES,
    ...RATE_RULES,
    ...HIDING_RULES,
  ]) {
    expect(llms).toContain(one.text);
    expect(text).toContain(JSON.stringify(one.text).slice(1, -1));
  }
  expect(
    JSON.stringify(read.parse(document).paths['/statement/{statement_id}/proof/{tx_signature}']),
  ).toContain('"name":"leg"');
});

it('names the fields in its rules as the answers do', () => {
  const text = JSON.stringify(document['paths']);
  for (const { text: rule } of [
    ...READING_RULES,
    ...STATEMENT_RULES,
    ...RATE_RULES,
    ...HIDING_RULES,
  ])
    for (const [, name = ''] of rule.matchAll(/`([a-z_]+)`/g)) expect(text, name).toContain(name);
});

it('names the operator and the contact, a mail address or a page, like /llms.txt', () => {
  expect(document).toMatchObject({
    info: {
      termsOfService: 'https://quittance.example/terms',
      contact: { name: 'Example Receipts', email: 'help@example.com' },
    },
  });
  const contact = 'https://example.com/contact';
  const paged = openapiDocument(
    { ...service, operator: { ...operator, contact, contactUri: contact } },
    OPERATIONS,
  );
  expect(paged).toMatchObject({ info: { contact: { name: 'Example Receipts', url: contact } } });
  expect(JSON.stringify(paged['info'])).not.toContain('email');
  expect(llmsText({ ...service, serviceName: 'x' }, OPERATIONS)).toContain(
    '- Operator: Example Receipts, help@example.com\n',
  );
});
