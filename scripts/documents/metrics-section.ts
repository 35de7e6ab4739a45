import { describeMetrics } from '@/operation/known-metrics';
import type { Section } from './sections';

/** Metrics of Node itself, which prom-client registers. */
const OF_NODE = /^quittance_(nodejs|process)_/;

/** Every metric of the service with its type, labels and meaning. */
export function metricsSections(): Section[] {
  const rows = describeMetrics()
    .filter(({ name }) => !OF_NODE.test(name))
    .map(({ name, type, labels, help }) => {
      const cells = [`\`${name}\``, type, labels.map((one) => `\`${one}\``).join(', '), help];
      return `| ${cells.join(' | ')} |`;
    });
  const head = ['| metric | type | labels | meaning |', '| --- | --- | --- | --- |'];
  return [
    { page: 'docs/operation/monitoring.md', name: 'metrics', text: [...head, ...rows].join('\n') },
  ];
}
