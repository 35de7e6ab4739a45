import { toServiceError } from '@/server/api/trpc';
import { env } from '@/server/env';
import { ServiceError } from '@/server/errors';
import { randomIds } from '@/server/ids';
import { refusal } from './respond';

/** Largest JSON body of a path that sets no other limit. */
export const DEFAULT_BODY_BYTES = 256 * 1024;
/** Time for a body of that size at 10 KB a second. A slower one would hold a connection and its memory. */
const MOST_BODY_MS = 30_000;

/**
 * Reads a JSON body with a hard limit, whatever Content-Length claims. Throws 415 for another type,
 * 413 past the limit, 400 for what is no JSON object.
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  requireJsonType(request);
  return parseJson(await readText(request, maxBytes));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServiceError('invalid_request', 'Invalid request: the body is not valid JSON.', {
      cause,
      details: { body: 'is not valid JSON' },
    });
  }
}

/**
 * The body of a priced route. It is read like {@link readJson}, but an empty body of any type or
 * none is an empty object, because programs ask for prices with it.
 */
export async function readPricedJson(request: Request, maxBytes: number): Promise<unknown> {
  if (!isJsonType(request)) {
    if (await readsEmpty(request)) return {};
    requireJsonType(request);
  }
  const text = await readText(request, maxBytes);
  return text === '' ? {} : parseJson(text);
}

async function readsEmpty(request: Request): Promise<boolean> {
  try {
    return (await readText(request, 0)) === '';
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'body_too_large') return false;
    throw error;
  }
}

/** Throws 415 unless the body is declared as JSON. */
export function requireJsonType({ headers }: Pick<Request, 'headers'>): void {
  if (isJsonType({ headers })) return;
  const type = headers.get('content-type') ?? '';
  throw new ServiceError(
    'unsupported_media_type',
    `The body must be sent as Content-Type: application/json, not ${type === '' ? 'without a type' : type.slice(0, 64)}.`,
  );
}

function isJsonType({ headers }: Pick<Request, 'headers'>): boolean {
  return /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '');
}

/** The body as text; stops reading at the limit of bytes, and of time. */
export async function readText(
  request: Request,
  maxBytes: number,
  mostMs: number = MOST_BODY_MS,
): Promise<string> {
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void reader.cancel().catch(() => null);
  }, mostMs);
  try {
    for (;;) {
      const { done, value } = await readChunk(reader);
      if (isLate) throw brokeOff(new Error('the body took too long'));
      if (done) break;
      size += value.byteLength;
      if (size > maxBytes) {
        await reader.cancel();
        throw new ServiceError(
          'body_too_large',
          `The body is larger than the ${maxBytes / 1024} KiB that this path takes.`,
        );
      }
      chunks.push(value);
    }
  } finally {
    clearTimeout(timer);
  }
  return decodeUtf8(Buffer.concat(chunks));
}

/** A client that leaves in the middle of its body is not our fault. */
async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch (cause) {
    throw brokeOff(cause);
  }
}

function brokeOff(cause: unknown): ServiceError {
  return new ServiceError('invalid_request', 'Invalid request: the body is incomplete.', {
    cause,
    details: { body: 'broke off' },
  });
}

/** Labels are permanent, so bytes that are not UTF-8 are refused and not replaced. */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ServiceError('invalid_request', 'Invalid request: the body is not UTF-8.', {
      cause,
      details: { body: 'is not UTF-8' },
    });
  }
}

type Handler = (request: Request) => Promise<Response>;

/**
 * Limits the body before a library reads all of it: past `maxBytes` the answer is the same 413
 * as on REST paths. The handler gets a request with the bytes that were read.
 */
export function limitBody(maxBytes: number, handler: Handler): Handler {
  return async (request) => {
    if (!request.body) return handler(request);
    try {
      const body = await readText(request, maxBytes);
      return await handler(
        new Request(request.url, { method: request.method, headers: request.headers, body }),
      );
    } catch (error) {
      const { publicUrl } = env();
      return refusal(toServiceError(error), { requestId: randomIds.requestId(), publicUrl });
    }
  };
}
