import { z } from 'zod';
import { createMetrics } from '@/server/metrics';
import { readQuery } from './promql';

/** Labels that Prometheus adds to every series. */
const ADDED = ['job', 'instance'];
/** External metrics: the prober that asks /health, and Prometheus's own list of alerts. */
export const OTHERS = new Map([
  ['probe_success', []],
  ['ALERTS', ['alertname', 'alertstate']],
]);
const metricSchema = z.looseObject({
  name: z.string(),
  help: z.string(),
  type: z.string(),
  labelNames: z.array(z.string()),
});

/** Every metric that the service itself registers, as Prometheus gets it. */
export function describeMetrics() {
  return createMetrics()
    .registry.getMetricsAsArray()
    .map((metric) => metricSchema.parse({ ...metric }))
    .map(({ labelNames: labels, ...metric }) => ({ ...metric, labels }));
}

/** Every series on /metrics with its labels. */
export function knownSeries(): Map<string, string[]> {
  const series = new Map<string, string[]>(OTHERS);
  for (const { name, labels, type } of describeMetrics()) {
    series.set(name, labels);
    if (type !== 'histogram') continue;
    series.set(`${name}_bucket`, [...labels, 'le']);
    for (const part of ['count', 'sum']) series.set(`${name}_${part}`, labels);
  }
  return series;
}

const known = knownSeries();

/** Faults of a query and of the text shown with it: metrics and labels that do not exist. */
export function unknownIn(expr: string, shown = ''): string[] {
  const { metrics, grouped, isAggregated } = readQuery(expr);
  const has = new Set(ADDED);
  const faults: string[] = [];
  for (const { name, labels } of metrics) {
    const own = known.get(name);
    if (!own) faults.push(`there is no metric ${name}`);
    for (const label of own ?? []) has.add(label);
    for (const label of labels)
      if (own && ![...own, ...ADDED].includes(label)) faults.push(`${name} has no label ${label}`);
  }
  if (metrics.length === 0) faults.push('it reads no metric');
  const shownLabels = [...shown.matchAll(/\{\{ *(?:\$labels\.)?(\w+) *\}\}/g)].flatMap(
    ([, label]) => label ?? [],
  );
  for (const label of [...grouped, ...shownLabels])
    if (!has.has(label)) faults.push(`none of its metrics has a label ${label}`);
  // Labels that an aggregation removes cannot be shown.
  for (const label of shownLabels)
    if (isAggregated && !grouped.includes(label)) faults.push(`${label} is aggregated away`);
  return faults;
}
