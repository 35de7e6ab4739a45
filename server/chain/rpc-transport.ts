import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { isNodeTrouble, RpcRefused } from './rpc-errors';

/** The largest answers are accounts of big trees, some 2 MB; more is no answer to a question of ours. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** One node did not give a usable answer. Stays inside the chain room. */
export class NodeTrouble extends Error {
  readonly isTimeout: boolean;
  readonly retryAfterMs: number | null;
  constructor(message: string, o: { isTimeout?: boolean; retryAfterMs?: number | null } = {}) {
    super(message);
    this.name = 'NodeTrouble';
    this.isTimeout = o.isTimeout ?? false;
    this.retryAfterMs = o.retryAfterMs ?? null;
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
 * One JSON-RPC 2.0 call over HTTP. Throws {@link RpcRefused} for an error that answers the question and
 * {@link NodeTrouble} for everything else. No message holds more of the URL than its host, as providers
 * write their keys into paths and queries.
 */
export async function callNode(o: {
  url: string;
  method: string;
  params: readonly unknown[];
  timeoutMs: number;
}): Promise<unknown> {
  const { host } = new URL(o.url);
  const text = await fetchText(o, host);
  const answer = answerSchema.safeParse(parseJson(text));
  if (!answer.success) throw new NodeTrouble(`${host} did not answer in JSON-RPC`);
  if ('error' in answer.data && isError(answer.data.error)) {
    const { code, message, data } = answer.data.error;
    if (isNodeTrouble(code)) throw new NodeTrouble(`${host} answered ${code} ${message}`);
    throw new RpcRefused(o.method, code, message, data);
  }
  if (!('result' in answer.data)) throw new NodeTrouble(`${host} answered without a result`);
  return answer.data.result;
}

function isError(value: unknown): value is { code: number; message: string; data?: unknown } {
  return typeof value === 'object' && value !== null && 'code' in value;
}

/**
 * Over node:http and not fetch, which the framework wraps: a scan makes thousands of calls, and most of
 * the time of each would be the client's own.
 */
async function fetchText(
  o: { url: string; method: string; params: readonly unknown[]; timeoutMs: number },
  host: string,
): Promise<string> {
  const signal = AbortSignal.timeout(Math.ceil(o.timeoutMs));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: o.method, params: o.params });
  try {
    const response = await post(new URL(o.url), body, signal);
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) {
      response.destroy();
      const retryAfterMs = readRetryAfter(response.headers['retry-after'] ?? null);
      throw new NodeTrouble(`${host} answered HTTP ${status}`, { retryAfterMs });
    }
    return await readLimited(response, host);
  } catch (error) {
    if (error instanceof NodeTrouble) throw error;
    if (signal.aborted)
      throw new NodeTrouble(`${host} did not answer within ${Math.round(o.timeoutMs)} ms`, {
        isTimeout: true,
      });
    throw new NodeTrouble(`${host} cannot be reached (${reasonOf(error)})`);
  }
}

/** Idle connections are given up before servers do so, which is after 5 s at the earliest. */
const KEPT = { keepAlive: true, timeout: 4_000 };
const PROTOCOLS = {
  http: { request: http.request, agent: new http.Agent(KEPT) },
  https: { request: https.request, agent: new https.Agent(KEPT) },
};

function post(url: URL, body: string, signal: AbortSignal): Promise<http.IncomingMessage> {
  const { request, agent } = url.protocol === 'https:' ? PROTOCOLS.https : PROTOCOLS.http;
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'accept-encoding': 'gzip',
  };
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', agent, headers, signal }, resolve).on('error', reject).end(body);
  });
}

async function readLimited(response: http.IncomingMessage, host: string): Promise<string> {
  const isPacked = response.headers['content-encoding'] === 'gzip';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const collect = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      if (bytes > MAX_ANSWER_BYTES)
        throw new NodeTrouble(`${host} answered with more than ${MAX_ANSWER_BYTES} bytes`);
      chunks.push(chunk);
    }
  };
  if (isPacked) await pipeline(response, createGunzip(), collect);
  else await collect(response);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Parses JSON without losing digits: whole numbers of 16 digits and more, which lamports can be, become
 * strings. Undefined when the text is no JSON.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(
      /\d{16}/.test(text)
        ? text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, quoteLong)
        : text,
    );
  } catch {
    return undefined;
  }
}

function quoteLong(token: string): string {
  return /^\d{16,}$/.test(token) ? `"${token}"` : token;
}

/** `Retry-After` in seconds or as a date, as milliseconds from now. */
function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

function reasonOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error) return String(error.code);
  return error instanceof Error ? error.name : 'unknown reason';
}
