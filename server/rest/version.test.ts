import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serveVersion } from './service-answers';

const { version } = z
  .object({ version: z.string().regex(/^\d+\.\d+\.\d+$/) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

const ask = async (commit: string | null) => {
  const response = await serveVersion({ ctx: { service: { env: { commit } } } });
  return { header: response.headers.get('X-Quittance-Version'), body: await response.json() };
};

describe('GET /version', () => {
  it('says the version of package.json and of the interface', async () => {
    const { header, body } = await ask(null);
    expect(body).toEqual({ success: true, version, contract: 1 });
    expect(header).toBe('1');
  });

  it('says the commit where it is set', async () => {
    expect((await ask('0123abc')).body).toMatchObject({ version, commit: '0123abc' });
  });
});

it('the newest release of CHANGELOG.md and package-lock.json is the version of package.json', () => {
  const [, newest] = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/m.exec(
    readFileSync('CHANGELOG.md', 'utf8'),
  ) ?? ['', ''];
  expect(newest).toBe(version);
  const lock: unknown = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  expect(lock).toMatchObject({ version, packages: { '': { version } } });
});
