import bs58 from 'bs58';

/** Bytes of a base58 text if they are exactly this many; null otherwise, whatever the text holds. */
export function decodeBase58(text: string, bytes: number): Uint8Array | null {
  // Longest base58 text of n bytes; keeps the quadratic decoder away from long input.
  if (text.length > Math.ceil(bytes * 1.38)) return null;
  const decoded = bs58.decodeUnsafe(text);
  return decoded?.length === bytes ? decoded : null;
}

/** Whether a text is a Solana address: base58 of 32 bytes. Program addresses count as well. */
export function isWalletAddress(text: string): boolean {
  return decodeBase58(text, 32) !== null;
}

/** Whether a text is a transaction signature: base58 of 64 bytes. */
export function isSignature(text: string): boolean {
  return decodeBase58(text, 64) !== null;
}
