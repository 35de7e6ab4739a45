import { createHash } from 'node:crypto';
import bs58 from 'bs58';

/** An item's address, from its signature. */
export function itemId(signature: Uint8Array): string {
  return bs58.encode(createHash('sha256').update(signature).digest());
}
