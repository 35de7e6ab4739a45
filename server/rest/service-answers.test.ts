import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serveVersion, securityText } from './service-answers';

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

const operator = {
  name: 'Example Receipts',
  contact: 'help@example.com',
  contactUri: 'mailto:help@example.com',
};
const now = new Date('2026-11-29T12:34:56.789Z');
const fieldsOf = (text: string) =>
  text
    .split('\r\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/: (.*)/).slice(0, 2));

it('has the fields of RFC 9116, one a line, and ends within a year of the clock that it is given', () => {
  const text = securityText({ publicUrl: 'https://quittance.example', operator, now });
  expect(fieldsOf(text)).toEqual([
    ['Contact', 'mailto:help@example.com'],
    ['Expires', '2027-05-28T00:00:00.000Z'],
    ['Preferred-Languages', 'en'],
    ['Canonical', 'https://quittance.example/.well-known/security.txt'],
  ]);
  expect(text.startsWith('# Operator: Example Receipts\r\n')).toBe(true);
  expect(text.endsWith('\r\n')).toBe(true);
});

it('takes a page as the contact as well', () => {
  const contact = 'https://example.com/security';
  const text = securityText({
    publicUrl: 'https://quittance.example',
    now,
    operator: { ...operator, contact, contactUri: contact },
  });
  expect(fieldsOf(text)[0]).toEqual(['Contact', contact]);
});
