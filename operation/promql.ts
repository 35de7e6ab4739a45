import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/**
 * The inputs of a PromQL query: each selected metric with its matched labels, and the labels it
 * groups by.
 */
export type Query = {
  metrics: { name: string; labels: string[] }[];
  grouped: string[];
  isAggregated: boolean;
};

/** Parses a query with the grammar of Prometheus itself. Throws when it is not PromQL. */
export function readQuery(text: string): Query {
  // Grafana inserts its variables before Prometheus sees the query.
  const source = text.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '5m');
  const query: Query = { metrics: [], grouped: [], isAggregated: false };
  parser.parse(source).iterate({
    enter: (ref) => {
      if (ref.type.isError) throw new Error(`no PromQL at character ${ref.from}: ${text}`);
      const words = (kind: string) => namesBelow(ref.node, kind, source);
      if (ref.name === 'VectorSelector')
        query.metrics.push({ name: words('Identifier')[0] ?? '', labels: words('LabelName') });
      if (ref.name === 'AggregateExpr') query.isAggregated = true;
      if (ref.name === 'GroupingLabels') query.grouped.push(...words('LabelName'));
    },
  });
  return query;
}

function namesBelow(node: SyntaxNode, kind: string, source: string): string[] {
  const names: string[] = [];
  node.cursor().iterate(({ name, from, to }) => {
    if (name === kind) names.push(source.slice(from, to));
  });
  return names;
}
