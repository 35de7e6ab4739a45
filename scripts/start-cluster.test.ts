import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as ensureGeneratedModule from './ensure-generated';
import * as ensureVerifierModule from './ensure-verifier';
import { standIn } from '@/tests/harness/stand-in';
import { SettingsError } from '@/server/env';
import { cluster } from './start-cluster';

const made = { names: new Array<string>() };
standIn(ensureGeneratedModule, { ensureGenerated: () => made.names.push('client') });
standIn(ensureVerifierModule, { ensureVerifier: () => made.names.push('verifier') });

beforeEach(() => {
  made.names.length = 0;
  // Without a required setting, a start fails before it reaches a database.
  vi.stubEnv('NETWORK', 'devnet');
  vi.stubEnv('DATABASE_URL', '');
});
afterEach(() => void vi.unstubAllEnvs());

const start = (mode: 'start' | 'dev') =>
  cluster().start({
    mode,
    say: () => undefined,
    onFatal: () => undefined,
    signal: new AbortController().signal,
  });

it('the development server first makes its database client and verifier', async () => {
  await expect(start('dev')).rejects.toThrow(SettingsError);
  expect(made.names).toEqual(['client', 'verifier']);
});

it('a start of a build makes nothing', async () => {
  await expect(start('start')).rejects.toThrow(SettingsError);
  expect(made.names).toEqual([]);
});
