import bs58 from 'bs58';

/** Little-endian numbers and addresses in instruction data; null past its end. */
export function u32(data: Uint8Array, at: number): number | null {
  if (at + 4 > data.length) return null;
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(at, true);
}

export function u64(data: Uint8Array, at: number): bigint | null {
  if (at < 0 || at + 8 > data.length) return null;
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(at, true);
}

export function address(data: Uint8Array, at: number): string | null {
  return at + 32 > data.length ? null : bs58.encode(data.subarray(at, at + 32));
}
