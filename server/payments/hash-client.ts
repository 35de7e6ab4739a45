import { createHmac } from 'node:crypto';

/**
 * A client's address as limits keep it: an HMAC under a key that changes with the UTC day, so that what
 * is stored tells nobody an address. The key comes from a secret that all processes share; equal for
 * equal input.
 */
export function hashClient(o: { address: string; secret: Uint8Array; day: string }): string {
  const key = createHmac('sha256', o.secret).update(`client address ${o.day}`).digest();
  return createHmac('sha256', key).update(o.address).digest('hex');
}
