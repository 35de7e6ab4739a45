import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ERRORS } from '@/server/errors';
import { openapiDocument } from './openapi-document';
import { OPERATIONS } from './operations';

const document = openapiDocument({ publicUrl: 'https://quittance.example', network: 'mainnet' });
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
      expect(operation['security'] !== undefined, path).toBe(path.startsWith('/admin'));
});

it('lists every code that an answer can carry', () => {
  const text = JSON.stringify(document);
  for (const code of Object.keys(ERRORS)) expect(text).toContain(`"${code}"`);
});

it('names the price of what costs something, for clients that look before they ask', () => {
  expect(document).toMatchObject({
    paths: {
      '/mint': { post: { 'x-payment-info': { protocols: ['x402'], pricingMode: 'range' } } },
      '/verify/{tx_signature}': {
        get: expect.not.objectContaining({ 'x-payment-info': expect.anything() }),
      },
    },
  });
});
