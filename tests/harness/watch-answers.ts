import { subscribe } from 'node:diagnostics_channel';
import { ClientRequest, IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { z } from 'zod';
import { answerChecker, type CheckAnswer } from './answer-checker';

/** One document for all services of a process: their build is the same, and the validators cost time. */
let check: Promise<CheckAnswer> | undefined;
/** Faults by the origin that answered so. */
const watched = new Map<string, string[]>();
/** Origins of which only the answers to `fetch` are checked. */
const fetchOnly = new Set<string>();
const plainFetch = globalThis.fetch;

/**
 * From now on every answer from this origin must match /openapi.json. This covers `fetch` and
 * `node:http`, which axios and raw requests use. A `fetch` with a wrong answer fails, and
 * `unwatchAnswers` throws for all of them. Returns false when the origin was watched already. With
 * `raw: false` only `fetch` is checked.
 */
export async function watchAnswers(baseUrl: string, o = { raw: true }): Promise<boolean> {
  if (check === undefined) {
    check = plainFetch(new URL('/openapi.json', baseUrl))
      .then((response) => response.json())
      .then(answerChecker);
    subscribe('http.client.response.finish', checkHttpAnswer);
  }
  await check;
  globalThis.fetch = checkedFetch;
  const { origin } = new URL(baseUrl);
  if (watched.has(origin)) return false;
  watched.set(origin, []);
  if (!o.raw) fetchOnly.add(origin);
  return true;
}

/** Ends the watch. Throws with all answers that did not match. */
export function unwatchAnswers(baseUrl: string): void {
  const { origin } = new URL(baseUrl);
  const faults = watched.get(origin) ?? [];
  watched.delete(origin);
  fetchOnly.delete(origin);
  if (faults.length > 0)
    throw new Error(`answers that /openapi.json does not describe:\n${faults.join('\n')}`);
}

/** Notes the fault of an answer and returns it in words, or null when there is none. */
async function faultOf(
  origin: string,
  asked: Parameters<CheckAnswer>[0],
  answer: Parameters<CheckAnswer>[1],
): Promise<string | null> {
  const fault = (await check)?.(asked, answer) ?? null;
  if (fault === null) return null;
  const text = `${asked.method} ${asked.path} ${answer.status}: ${fault}\n${answer.text?.slice(0, 600) ?? ''}`;
  watched.get(origin)?.push(text);
  return text;
}

async function checkedFetch(...args: Parameters<typeof fetch>): Promise<Response> {
  const response = await plainFetch(...args);
  const [input, init] = args;
  const request = input instanceof Request ? input : null;
  const url = new URL(request?.url ?? String(input));
  if (!watched.has(url.origin)) return response;
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  const text = hasJson(response.headers) ? await response.clone().text() : null;
  const accept = new Headers(init?.headers ?? request?.headers).get('accept') ?? '';
  const asked = { method, path: url.pathname, wantsPage: accept.includes('text/html') };
  const { status, headers } = response;
  const fault = await faultOf(url.origin, asked, { status, headers, text });
  if (fault !== null) throw new Error(`not as /openapi.json says: ${fault}`);
  return response;
}

const finished = z.object({
  request: z.instanceof(ClientRequest),
  response: z.instanceof(IncomingMessage),
});

/** Reads an answer of `node:http` in addition to its caller, before the caller gets it. */
function checkHttpAnswer(message: unknown): void {
  const { request, response } = finished.parse(message);
  const port = String(response.socket.remotePort);
  const origin = [...watched.keys()].find((one) => new URL(one).port === port);
  if (origin === undefined || fetchOnly.has(origin)) return;
  const { statusCode: status = 0, rawHeaders } = response;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer | string) => chunks.push(Buffer.from(chunk)));
  response.once('end', () => {
    const path = request.path.split('?')[0] ?? '';
    const wantsPage = String(request.getHeader('accept') ?? '').includes('text/html');
    const asked = { method: request.method, path, wantsPage };
    const text = hasJson(headers) ? unpack(headers, Buffer.concat(chunks)) : null;
    void faultOf(origin, asked, { status, headers, text });
  });
}

/** A file may be read slowly, or not to its end. */
function hasJson(headers: Headers): boolean {
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  return isJson && !headers.has('content-disposition');
}

function unpack(headers: Headers, body: Buffer): string {
  const unpackers = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };
  const encoding = z.enum(['gzip', 'deflate', 'br']).safeParse(headers.get('content-encoding'));
  const bytes = encoding.success && body.length > 0 ? unpackers[encoding.data](body) : body;
  return bytes.toString();
}
