import { OPERATIONS } from '@/server/rest/operations/operations';
import type { Operation } from '@/server/rest/operations/operation';
import type { Section } from './sections';

const PAGE = 'docs/api.md';
const SECURITY = {
  adminToken: null,
  metricsToken: 'Needs `Authorization: Bearer` of `METRICS_TOKEN`.',
  webhookSecret: 'Needs `WEBHOOK_SECRET` in `Authorization`.',
  session: 'Needs the cookie of a signed-in wallet.',
} as const;

/** Every operation of the REST interface, under its heading of the API reference. */
export function apiSections(operations: readonly Operation[] = OPERATIONS): Section[] {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return tags.map((name) => ({
    page: PAGE,
    name,
    text: operations
      .filter(({ tag }) => tag === name)
      .map(lineOf)
      .join('\n'),
  }));
}

function lineOf({ method, path, summary, description, security }: Operation): string {
  const needs = security ? SECURITY[security] : null;
  const texts = [`${summary}.`, description, ...(needs === null ? [] : [needs])];
  return `- \`${method.toUpperCase()} ${path}\`: ${texts.join(' ')}`;
}
