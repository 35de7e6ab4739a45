import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerJson, answerText, readJson } from './http';
import type { ItemRecord } from './item-store';
import type { StorageNode } from './storage-node';

const MOST_BODY_BYTES = 64 * 1024;
/** The real node gives at most 100 results a query. */
const MOST_RESULTS = 100;

const filters = z.object({
  ids: z.array(z.string()).optional(),
  owners: z.array(z.string()).optional(),
  tags: z.array(z.object({ name: z.string(), values: z.array(z.string()) })).optional(),
  limit: z.number().int().min(1).max(MOST_RESULTS).default(MOST_RESULTS),
});
const queryBody = z.object({ query: z.string(), variables: filters.prefault({}) });

/**
 * `POST /graphql`: enough of it for `transactions(ids | owners | tags)`, with filters as variables
 * or as ids in the query. Every field is answered, also those not requested.
 */
export async function answerQuery(
  node: StorageNode,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = queryBody.safeParse(await readJson(request, MOST_BODY_BYTES));
  if (!body.success) return answerText(response, 400, 'Invalid query');
  const { query, variables } = body.data;
  const ids = variables.ids ?? writtenIds(query);
  const accepts = (item: ItemRecord) =>
    (variables.owners?.includes(item.address) ?? true) &&
    (variables.tags ?? []).every(({ name, values }) =>
      item.tags.some((tag) => tag.name === name && values.includes(tag.value)),
    );
  const found = ids
    ? (await Promise.all(ids.slice(0, MOST_RESULTS).map((id) => node.items.find(id)))).filter(
        (item) => item !== null && accepts(item),
      )
    : await node.items.list(accepts, variables.limit);
  const edges = found.map((item) => ({ cursor: item?.id, node: item }));
  answerJson(response, {
    data: { transactions: { edges, pageInfo: { hasNextPage: false, endCursor: null } } },
  });
}

function writtenIds(query: string): string[] | null {
  const list = /\bids:\s*\[([^\]]*)\]/.exec(query)?.[1];
  return list === undefined ? null : [...list.matchAll(/"([^"]+)"/g)].map(([, id]) => id ?? '');
}
