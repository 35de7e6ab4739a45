import { expect, it } from 'vitest';
import { describeMetrics } from './known-metrics';

/** The rules of `promtool check metrics` that do not depend on values. */
it('names of metrics say their type: only counters end in _total, and no gauge has the name of a histogram part', () => {
  for (const { name, type, help, labels } of describeMetrics()) {
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    expect(help, name).not.toBe('');
    if (type === 'histogram') continue;
    expect(name, name).not.toMatch(/_(bucket|count|sum)$/);
    expect(labels, name).not.toContain('le');
    expect(labels, name).not.toContain('quantile');
  }
});
