import { z } from 'zod';
import { parseJson } from '@quittance/verify/chain/parse-json';
import { exchange, HttpTrouble } from '@/server/http';
import { isNodeTrouble, RpcRefused } from '@quittance/verify/chain/rpc-errors';

/** The largest answers are accounts of big trees, about 2 MB. Nothing that we ask is larger. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** One node gave no usable answer. Stays inside the chain module. */
export class NodeTrouble extends Error {
  readonly isTimeout: boolean;
  readonly retryAfterMs: number | null;
  /** Code of a JSON-RPC error that the node answered with; null for any other trouble. */
  readonly code: number | null;
  constructor(
    message: string,
    o: { isTimeout?: boolean; retryAfterMs?: number | null; code?: number | null } = {},
  ) {
    super(message);
    this.name = 'NodeTrouble';
    this.isTimeout = o.isTimeout ?? false;
    this.retryAfterMs = o.retryAfterMs ?? null;
    this.code = o.code ?? null;
  }
}

const answerSchema = z.union([
  z.looseObject({
    error: z.looseObject({
      code: z.number(),
      message: z.string().default(''),
      data: z.unknown().optional(),
    }),
  }),
  z.looseObject({ result: z.unknown() }),
]);

/**
 * One JSON-RPC 2.0 call over HTTP. Throws {@link RpcRefused} for an error that answers the question
 * and {@link NodeTrouble} for everything else. No message holds more of the URL than its host,
 * because providers put keys into paths and queries.
 */
export async function callNode(o: {
  url: string;
  method: string;
  params: readonly unknown[];
  timeoutMs: number;
}): Promise<unknown> {
  const { host } = new URL(o.url);
  const body = { jsonrpc: '2.0', id: 1, method: o.method, params: o.params };
  const text = await fetchText({ ...o, body: JSON.stringify(body) }, host);
  const answer = answerSchema.safeParse(parseJson(text));
  if (!answer.success) throw new NodeTrouble(`${host} did not answer in JSON-RPC`);
  if ('error' in answer.data && isError(answer.data.error)) {
    const { code, message, data } = answer.data.error;
    if (isNodeTrouble(code)) throw new NodeTrouble(`${host} answered ${code} ${message}`, { code });
    throw new RpcRefused(o.method, code, message, data);
  }
  if (!('result' in answer.data)) throw new NodeTrouble(`${host} answered without a result`);
  return answer.data.result;
}

const batchSchema = z.array(z.looseObject({ id: z.unknown(), result: z.unknown().optional() }));

/**
 * Sends one method with each of `paramsOf` in a single HTTP request, a batch of JSON-RPC 2.0.
 * Returns the results in the order of the questions, undefined for one without a result. Throws
 * {@link NodeTrouble} when the node does not answer with a batch.
 */
export async function callNodeInBatch(o: {
  url: string;
  method: string;
  paramsOf: readonly (readonly unknown[])[];
  timeoutMs: number;
}): Promise<unknown[]> {
  const { host } = new URL(o.url);
  const calls = o.paramsOf.map((params, id) => ({ jsonrpc: '2.0', id, method: o.method, params }));
  const text = await fetchText({ ...o, body: JSON.stringify(calls) }, host);
  const answers = batchSchema.safeParse(parseJson(text));
  if (!answers.success) throw new NodeTrouble(`${host} did not answer with a batch`);
  // The protocol allows any order.
  const results = new Map(answers.data.map(({ id, result }) => [id, result]));
  return calls.map(({ id }) => results.get(id));
}

function isError(value: unknown): value is { code: number; message: string; data?: unknown } {
  return typeof value === 'object' && value !== null && 'code' in value;
}

async function fetchText(
  o: { url: string; body: string; timeoutMs: number },
  host: string,
): Promise<string> {
  const answer = await exchange({
    url: o.url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: o.body,
    timeoutMs: o.timeoutMs,
    mostBytes: MAX_ANSWER_BYTES,
  }).catch((error: unknown) => {
    throw troubleOf(error, host);
  });
  if (answer.status >= 200 && answer.status < 300) return answer.body.toString('utf8');
  const retryAfterMs = readRetryAfter(answer.header('retry-after'), answer.header('date'));
  throw new NodeTrouble(`${host} answered HTTP ${answer.status}`, { retryAfterMs });
}

function troubleOf(error: unknown, host: string): unknown {
  if (!(error instanceof HttpTrouble)) return error;
  if (error.kind === 'timeout')
    return new NodeTrouble(`${host} did not answer: ${error.reason}`, { isTimeout: true });
  if (error.kind === 'too_big') return new NodeTrouble(`${host} answered with ${error.reason}`);
  return new NodeTrouble(`${host} cannot be reached (${error.reason})`);
}

/** `Retry-After` in seconds, or as a date relative to the date of the answer, because our clock may differ. */
function readRetryAfter(header: string | null, date: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const waitMs = Date.parse(header) - Date.parse(date ?? '');
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
