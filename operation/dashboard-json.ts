import type { AnnotationQuery, Dashboard, DataQuery } from '@grafana/schema';

/**
 * The published type of a Grafana dashboard (its classic model, which every version imports) in
 * JSON form. JSON has a word for each of the type's word enums.
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
