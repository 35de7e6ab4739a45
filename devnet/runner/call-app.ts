import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { request, type IncomingHttpHeaders } from 'node:http';
import canonicalize from 'canonicalize';

/** Largest answer of an app that is read: the real server's limit on a step's output. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** How far the clock in a signature may be off. */
const SIGNATURE_AGE_S = 300;

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/**
 * One HTTP request to the app's serve handler, signed when there is a signing key (cloud mode). It
 * uses node:http because fetch gives up after 300 s without headers. It uses a new connection each
 * time, because a kept one that the app has just closed would look like a failed try. Rejects with
 * the socket error. `ECONNREFUSED` means that nothing ran.
 */
export function callApp(o: {
  method: 'PUT' | 'POST';
  url: URL;
  body: unknown;
  headers: Record<string, string>;
  signingKey: string | null;
  signal: AbortSignal;
}): Promise<Answer> {
  // The app checks the signature over the canonical form (JCS) of the parsed body, so that form is
  // sent.
  const body = canonicalize(o.body) ?? 'null';
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'Inngest',
    'x-inngest-server-kind': o.signingKey ? 'cloud' : 'dev',
    ...(o.signingKey && { 'x-inngest-signature': sign(o.signingKey, body, unixSeconds()) }),
    ...o.headers,
  };
  return new Promise((resolve, reject) => {
    const req = request(
      o.url,
      { method: o.method, agent: false, headers, signal: o.signal },
      (res) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        res.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > MAX_ANSWER_BYTES) res.destroy(new Error('answer of the app is over 4 MiB'));
          else chunks.push(chunk);
        });
        res.on('error', reject);
        res.on('end', () => {
          const answer = {
            status: res.statusCode ?? 0,
            headers: res.headers,
            body: Buffer.concat(chunks).toString(),
          };
          if (o.signingKey && !isSignedBy(o.signingKey, answer))
            reject(new Error(`answer of the app is not signed with our key (${answer.status})`));
          else resolve(answer);
        });
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}

/** `Authorization` header of an app in cloud mode: the hash of the key, never the key. */
export function bearerOf(signingKey: string): string {
  const prefix = PREFIX.exec(signingKey)?.[0] ?? '';
  const key = Buffer.from(signingKey.slice(prefix.length), 'hex');
  return `Bearer ${prefix}${createHash('sha256').update(key).digest('hex')}`;
}

const PREFIX = /^signkey-\w+-/;

const unixSeconds = () => Math.floor(Date.now() / 1000);

function sign(signingKey: string, body: string, at: number): string {
  const hmac = createHmac('sha256', signingKey.replace(PREFIX, ''));
  return `t=${at}&s=${hmac.update(`${body}${at}`).digest('hex')}`;
}

function isSignedBy(signingKey: string, answer: Answer): boolean {
  const header = String(answer.headers['x-inngest-signature']);
  const at = Number(/^t=(\d+)&s=/.exec(header)?.[1]);
  if (!(Math.abs(unixSeconds() - at) <= SIGNATURE_AGE_S)) return false;
  const expected = Buffer.from(sign(signingKey, answer.body, at));
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
