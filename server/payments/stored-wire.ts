import type { Payment } from '@/generated/prisma/client';

/** A payment as we signed it and as it may be sent any number of times. */
export type SignedPayment = { wire: Uint8Array; signature: string; lastValidBlockHeight: bigint };

/** The signed payment that is on record, or null for one that was not signed by us yet. */
export function storedWire({
  wire,
  signature,
  lastValidBlockHeight,
}: Pick<Payment, 'wire' | 'signature' | 'lastValidBlockHeight'>): SignedPayment | null {
  if (!wire || signature === null || lastValidBlockHeight === null) return null;
  return { wire, signature, lastValidBlockHeight };
}
