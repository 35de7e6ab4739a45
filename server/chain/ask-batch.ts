import type { z } from 'zod';
import type { Clock } from '@/server/clock';
import { traced } from '@/server/tracing';
import { inOrder, type Node } from './ask-nodes';
import { callNodeInBatch, NodeTrouble } from './rpc-transport';

/** Many providers refuse batches, some with the answer for too many requests: how long they are left alone. */
const LEFT_ALONE_MS = 10 * 60_000;

/** The node that would be asked first, if it takes several questions in one request as far as is known. */
export function nodeForBatch(nodes: readonly Node[], clock: Clock): Node | null {
  const nowMs = clock.now().getTime();
  const [node] = inOrder(nodes, nowMs);
  return node && node.noBatchUntilMs <= nowMs ? node : null;
}

/**
 * Asks the first healthy node several questions in one request. Only saves time: what it does not answer in
 * full, or not as it should, is undefined, and must be asked for alone. Never throws.
 */
export async function askBatch<T>(
  nodes: readonly Node[],
  question: {
    method: string;
    paramsOf: readonly (readonly unknown[])[];
    schema: z.ZodType<T>;
  },
  o: {
    timeoutMs: number;
    clock: Clock;
    count: (method: string) => void;
    countTrouble: (method: string) => void;
  },
): Promise<(T | undefined)[]> {
  const { method, paramsOf, schema } = question;
  const nothing = paramsOf.map(() => undefined);
  const node = nodeForBatch(nodes, o.clock);
  if (!node) return nothing;
  paramsOf.forEach(() => o.count(method));
  try {
    const results = await traced(`rpc ${method}`, { 'rpc.method': method }, () =>
      callNodeInBatch({ url: node.url, method, paramsOf, timeoutMs: o.timeoutMs }),
    );
    return results.map((result) => schema.safeParse(result).data);
  } catch (error) {
    if (!(error instanceof NodeTrouble)) throw error;
    o.countTrouble(method);
    node.noBatchUntilMs = o.clock.now().getTime() + LEFT_ALONE_MS;
    return nothing;
  }
}
