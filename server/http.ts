import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { Agent, interceptors, request } from 'undici';

/** An answer whose body was read to its end. Header names are lower case. */
export type HttpAnswer = {
  status: number;
  header(name: string): string | null;
  body: Buffer;
};

/** No answer: `reason` is the system's word for it (`ECONNREFUSED`), never a text that may quote the URL. */
export class HttpTrouble extends Error {
  readonly kind: 'timeout' | 'too_big' | 'unreachable';
  readonly reason: string;
  constructor(kind: HttpTrouble['kind'], reason: string) {
    super(reason);
    this.name = 'HttpTrouble';
    this.kind = kind;
    this.reason = reason;
  }
}

const MOST_REDIRECTS = 3;
const direct = new Agent();
const following = direct.compose(interceptors.redirect({ maxRedirections: MOST_REDIRECTS }));

/**
 * One HTTP exchange with an upstream. `timeoutMs` limits the whole exchange, `mostBytes` the
 * answer's body. Redirects are followed only on request; nothing is cached. Throws {@link
 * HttpTrouble} when there is no answer; every status is one.
 *
 * Not the global fetch: Next wraps that one for caching, and its streams cost several times the
 * exchange itself.
 */
export async function exchange(o: {
  url: string;
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  timeoutMs: number;
  mostBytes: number;
  followsRedirects?: boolean;
}): Promise<HttpAnswer> {
  const signal = new EventEmitter();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    signal.emit('abort');
  }, Math.ceil(o.timeoutMs));
  try {
    const answer = await request(o.url, {
      method: o.method,
      headers: o.headers ?? {},
      body: o.body ?? null,
      signal,
      dispatcher: o.followsRedirects ? following : direct,
    });
    return {
      status: answer.statusCode,
      header: (name) => [answer.headers[name]].flat()[0] ?? null,
      body: await readBody(answer.body, o.mostBytes),
    };
  } catch (error) {
    if (error instanceof HttpTrouble) throw error;
    if (isLate) throw new HttpTrouble('timeout', `nothing within ${Math.round(o.timeoutMs)} ms`);
    throw new HttpTrouble('unreachable', wordFor(error));
  } finally {
    clearTimeout(timer);
  }
}

/** Reads chunk by chunk without an iterator, whose promises cost as much as parsing the answer. */
function readBody(body: Readable, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > mostBytes)
        body.destroy(new HttpTrouble('too_big', `more than ${mostBytes} bytes`));
    });
    body.on('end', () => resolve(Buffer.concat(chunks)));
    body.on('error', reject);
    body.on('close', () => reject(new Error('closed before its end')));
  });
}

function wordFor(error: unknown): string {
  for (const one of [error, error instanceof Error ? error.cause : undefined])
    if (typeof one === 'object' && one !== null && 'code' in one) return String(one.code);
  return error instanceof Error ? error.name : 'unknown reason';
}
