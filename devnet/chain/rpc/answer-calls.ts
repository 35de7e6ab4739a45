import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { RpcError } from '../rpc-error';
import type { Faults } from './faults';
import type { ChainNode } from './node';
import type { Methods } from './params';

const call = z.object({
  method: z.string(),
  params: z.unknown().optional(),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
});
type Call = z.infer<typeof call>;

/** Methods whose effect must be on disk before they are answered. */
const WRITING = new Set(['sendTransaction', 'requestAirdrop']);

export type AnsweringNode = {
  node: ChainNode;
  /** The same node without gaps in its history, for clients that a test does not examine. */
  whole: ChainNode;
  methods: Methods;
  faults: Faults;
  /** Carries out what is due on the ledger. */
  settle: () => void;
  /** Waits until every change is on disk. */
  flush: () => Promise<void>;
};

/** Answers the body of an HTTP request: one call or a batch. */
export async function answerBody(
  o: AnsweringNode,
  body: string,
): Promise<{ status: number; body: string }> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { status: 200, body: JSON.stringify(failure(null, -32700, 'Parse error')) };
  }
  const list: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const calls = list.map((entry) => call.safeParse(entry).data ?? null);
  const methods = calls.flatMap((one) => (one ? [one.method] : []));
  for (const method of methods) o.faults.count(method);
  await sleep(Math.max(0, ...methods.map((method) => o.faults.delayOf(method))));
  const fault = o.faults.takeHttpFault(methods, calls[0]?.id);
  if (fault) return fault;

  o.settle();
  const answers = await Promise.all(calls.map((one) => answerOne(o, one)));
  if (methods.some((method) => WRITING.has(method))) await o.flush();
  return { status: 200, body: JSON.stringify(Array.isArray(parsed) ? answers : answers[0]) };
}

async function answerOne(o: AnsweringNode, one: Call | null): Promise<object> {
  if (!one) return failure(null, -32600, 'Invalid request');
  const id = one.id ?? null;
  const method = Object.hasOwn(o.methods, one.method) ? o.methods[one.method] : undefined;
  if (!method) return failure(id, -32601, 'Method not found');
  try {
    const dropped = o.faults.takeDrop(one.method, one.params);
    return { jsonrpc: '2.0', result: dropped ?? (await method(one.params, o.node)), id };
  } catch (error) {
    if (error instanceof RpcError) return failure(id, error.code, error.message, error.data);
    console.error(`${one.method} failed`, error);
    return failure(id, -32603, 'Internal error');
  }
}

function failure(id: Call['id'], code: number, message: string, data?: unknown): object {
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}
