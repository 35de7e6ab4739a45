import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeMetrics } from './known-metrics';

it('OPERATION.md lists every metric with its type, labels and meaning', () => {
  const document = readFileSync(join(import.meta.dirname, '..', 'OPERATION.md'), 'utf8');
  const rows = document
    .split('\n')
    .filter((line) => line.startsWith('| `quittance_'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const expected = describeMetrics()
    .filter(({ name }) => !/^quittance_(nodejs|process)_/.test(name))
    .map(({ name, type, labels, help }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]);
  const sort = (list: string[][]) => list.map((row) => row.join(' | ')).sort();
  expect(sort(rows)).toEqual(sort(expected));
});

/** The rules of `promtool check metrics` that do not depend on values. */
it('names of metrics say their type: only counters end in _total, and no gauge looks like a part of a histogram', () => {
  for (const { name, type, help, labels } of describeMetrics()) {
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    expect(help, name).not.toBe('');
    if (type === 'histogram') continue;
    expect(name, name).not.toMatch(/_(bucket|count|sum)$/);
    expect(labels, name).not.toContain('le');
    expect(labels, name).not.toContain('quantile');
  }
});
