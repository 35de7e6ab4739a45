import { env } from '@/server/env';

/** Address of the key that pays the network fee of v1 and v2 payments, for `extra.feePayer`. */
export function feePayer(): string {
  return env().feePayer.publicKey;
}
