import { offChainForms } from './off-chain-message';

/** Bytes before the text in each form of an off-chain message with one signer; see offChainForms. */
const HEADER_BYTES = [85, 20, 50];

/**
 * The text of what a wallet says it signed: the bytes themselves, or what an off-chain message (hardware
 * wallets) wraps. Null when they are neither.
 */
export function readSignedText(bytes: Uint8Array, wallet: Uint8Array): string | null {
  if (bytes[0] !== 0xff) return decode(bytes);
  for (const header of HEADER_BYTES) {
    const text = decode(bytes.subarray(header));
    if (text !== null && offChainForms(text, wallet).some((form) => form.equals(bytes)))
      return text;
  }
  return null;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
