import type { AnnotationQuery, Dashboard, DataQuery } from '@grafana/schema';

/**
 * The published type of a Grafana dashboard (its classic model, which every version imports) as JSON has it: where
 * the type has an enum of words, JSON has the word.
 */
export type DashboardJson = Plain<Omit<Dashboard, 'annotations'>> & {
  annotations: { list: Plain<AnnotationQuery<PrometheusQuery>>[] };
};

type PrometheusQuery = DataQuery & { expr: string };

type Plain<T> = unknown extends T
  ? T
  : T extends string
    ? `${T}`
    : T extends readonly (infer E)[]
      ? Plain<E>[]
      : T extends object
        ? { [K in keyof T]: Plain<T[K]> }
        : T;
