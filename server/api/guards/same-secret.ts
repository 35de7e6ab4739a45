import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same, in a time that tells nothing of how near a wrong one is. */
export function isSameSecret(shown: string, secret: string): boolean {
  return timingSafeEqual(digest(shown), digest(secret));
}

/** Of one length for every text, as the comparison needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
