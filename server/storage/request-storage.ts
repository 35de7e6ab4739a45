export type StorageAnswer =
  | { ok: true; status: number; body: Uint8Array; contentType: string | null; host: string }
  | { ok: false; message: string };

/** No storage node gave a usable answer: down, slow, or saying something else than was asked. */
export class StorageUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StorageUnavailable';
  }
}

/**
 * One HTTP call to a storage node. `timeoutMs` bounds the call as a whole, `mostBytes` its answer.
 * Messages name the host alone: a path or a query may hold an access key.
 */
export async function requestStorage(o: {
  url: string;
  method?: 'GET' | 'POST';
  body?: Uint8Array;
  timeoutMs: number;
  mostBytes: number;
}): Promise<StorageAnswer> {
  const { host } = new URL(o.url);
  try {
    const response = await fetch(o.url, {
      method: o.method ?? 'GET',
      ...(o.body && {
        body: new Uint8Array(o.body),
        headers: { 'content-type': 'application/octet-stream' },
      }),
      // An upload that is sent elsewhere is not one this node took.
      redirect: o.method === 'POST' ? 'manual' : 'follow',
      cache: 'no-store',
      signal: AbortSignal.timeout(o.timeoutMs),
    });
    const body = await readBounded(response, o.mostBytes);
    if (!body) return { ok: false, message: `${host} answered more than ${o.mostBytes} bytes` };
    const contentType = response.headers.get('content-type');
    return { ok: true, status: response.status, body, contentType, host };
  } catch (error) {
    return { ok: false, message: `${host} did not answer (${reason(error, o.timeoutMs)})` };
  }
}

/** What an answer says, for a message: one short line of printable text. */
export function answerText(body: Uint8Array): string {
  const text = Buffer.from(body.subarray(0, 400)).toString('utf8');
  const line = text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]+/gu, ' ').trim();
  return [...line].slice(0, 200).join('');
}

async function readBounded(response: Response, mostBytes: number): Promise<Uint8Array | null> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > mostBytes) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

/** The system's word for a failure (`ECONNREFUSED`), never its text, which may quote the URL. */
function reason(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return `nothing within ${timeoutMs} ms`;
  const cause: unknown = error.cause;
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code);
  return 'connection dropped';
}
