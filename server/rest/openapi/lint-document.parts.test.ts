import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../operations/operations';
import { openapiDocument } from './openapi-document';

const operator = {
  name: 'Example Receipts',
  contact: 'help@receipts.test',
  contactUri: 'mailto:help@receipts.test',
};
const document = openapiDocument(
  { publicUrl: 'https://quittance.test', network: 'mainnet', operator },
  OPERATIONS,
);

async function byRedocly(one: unknown): Promise<string[]> {
  const problems = await lintFromString({
    source: JSON.stringify(one),
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`);
}

async function bySpectral(one: unknown): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset(new spectral.Ruleset(rulesets.oas, { severity: 'recommended' }));
  const problems = await linter.run(JSON.stringify(one));
  return problems
    .filter(({ severity }) => severity === 0)
    .map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`);
}

it('is free of faults for redocly and for spectral', async () => {
  expect(await byRedocly(document)).toEqual([]);
  expect(await bySpectral(document)).toEqual([]);
});

it('would not be with a parameter of a path that nothing names', async () => {
  const [operation] = OPERATIONS.filter(({ id }) => id === 'readReceipt');
  const faulty = openapiDocument(
    { publicUrl: 'https://quittance.test', network: 'mainnet', operator },
    operation ? [{ ...operation, parameters: [] }] : [],
  );
  expect(await byRedocly(faulty)).toContainEqual(
    expect.stringContaining('path-parameters-defined'),
  );
  expect(await bySpectral(faulty)).toContainEqual(expect.stringContaining('path-params'));
});
