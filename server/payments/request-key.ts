import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** What makes two requests the same one: method, path and the canonical JSON (RFC 8785) of the parsed body. */
export type RequestKey = {
  method: 'POST';
  path: string;
  /** Hex sha256 of the canonical body. */
  bodySha256: string;
  /** Hex sha256 over all three. */
  requestSha256: string;
};

/** The key of a request. Fields that are undefined count as not sent. */
export function keyOfRequest(o: { method: 'POST'; path: string; body: object }): RequestKey {
  const { method, path } = o;
  const bodySha256 = sha256(canonicalize(o.body) ?? '');
  return { method, path, bodySha256, requestSha256: sha256(`${method} ${path} ${bodySha256}`) };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
