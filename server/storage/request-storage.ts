import { exchange, HttpTrouble } from '@/server/http';
import { metrics } from '@/server/metrics';

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
  /** Of the body; plain bytes by default. */
  contentType?: string;
  timeoutMs: number;
  mostBytes: number;
}): Promise<StorageAnswer> {
  const { host } = new URL(o.url);
  const method = o.method ?? 'GET';
  const count = (outcome: string): void => metrics().storageRequests.inc({ method, outcome });
  try {
    const { status, header, body } = await exchange({
      url: o.url,
      method,
      ...(o.body && {
        body: o.body,
        headers: { 'content-type': o.contentType ?? 'application/octet-stream' },
      }),
      timeoutMs: o.timeoutMs,
      mostBytes: o.mostBytes,
      // An upload that is sent elsewhere is not one this node took.
      followsRedirects: o.method !== 'POST',
    });
    count(status < 400 ? 'answered' : status < 500 ? 'refused' : 'failed');
    return { ok: true, status, body, contentType: header('content-type'), host };
  } catch (error) {
    count('failed');
    if (!(error instanceof HttpTrouble)) throw error;
    if (error.kind === 'too_big') return { ok: false, message: `${host} answered ${error.reason}` };
    return { ok: false, message: `${host} did not answer (${error.reason})` };
  }
}

/** What an answer says, for a message: one short line of printable text. */
export function answerText(body: Uint8Array): string {
  const text = Buffer.from(body.subarray(0, 400)).toString('utf8');
  const line = text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]+/gu, ' ').trim();
  return [...line].slice(0, 200).join('');
}
