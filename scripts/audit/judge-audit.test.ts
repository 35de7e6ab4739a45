import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { judgeAudit, parseExceptions } from './judge-audit';

const via = {
  title: 'Overflow',
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  severity: 'high',
};
const audit = JSON.stringify({
  vulnerabilities: {
    'bad-package': { severity: 'high', via: [via] },
    wrapper: { severity: 'high', via: ['bad-package'] },
  },
});
const exception = {
  package: 'bad-package',
  advisory: 'GHSA-aaaa-bbbb-cccc',
  reason: 'its native part is not built here',
  until: '2026-06-30',
};
const on = (day: string) => new Date(`${day}T12:00:00Z`);

it('a vulnerability needs an exception that names it and has not ended', () => {
  const judge = (allowed: (typeof exception)[], day: string) => judgeAudit(audit, allowed, on(day));
  expect(judge([exception], '2026-06-30')).toEqual({ state: 'judged', faults: [], excepted: 1 });
  expect(judge([exception], '2026-07-01')).toMatchObject({
    faults: [expect.stringContaining('until')],
  });
  expect(judge([], '2026-06-30')).toMatchObject({ faults: [expect.stringContaining('GHSA-aaaa')] });
  const other = { ...exception, advisory: 'GHSA-other' };
  expect(judge([other], '2026-06-30')).toMatchObject({ faults: [expect.any(String)] });
});

it('a registry without audits does not pass, and every exception on file has a reason', () => {
  for (const answer of ['', '{"error":{"code":"ENOAUDIT"}}', '<html>'])
    expect(judgeAudit(answer, [], on('2026-01-01'))).toEqual({ state: 'no_answer' });
  expect(parseExceptions(readFileSync('audit-exceptions.json', 'utf8')).length).toBeGreaterThan(0);
});

it('the native part of bigint-buffer cannot load, whatever npm ran during the install', () => {
  const fromThere = createRequire(resolve('node_modules/bigint-buffer/package.json'));
  expect(fromThere('bindings')).toEqual({});
});
