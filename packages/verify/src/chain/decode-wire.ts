import bs58 from 'bs58';

export type CompiledInstruction = { programIndex: number; accounts: number[]; data: Uint8Array };
export type WireTransaction = {
  signatures: string[];
  version: 'legacy' | number;
  signerCount: number;
  staticKeys: string[];
  recentBlockhash: string;
  instructions: CompiledInstruction[];
  /** Address lookup tables that further keys come from. */
  lookupTables: number;
};

/** Versions above 0 have another layout; the reader asks nodes for 0 at most. */
const HIGHEST_VERSION = 0;
const VERSION_FLAG = 0x80;

/**
 * Decodes a signed transaction in wire format (legacy and version 0 messages; Solana docs,
 * "Transaction structure"). Null when the bytes are not exactly one such transaction. Keys that
 * come from lookup tables are not in the bytes.
 */
export function decodeWire(bytes: Uint8Array): WireTransaction | null {
  const reader = new Reader(bytes);
  try {
    const signatures = reader.list(() => bs58.encode(reader.take(64)));
    const first = reader.byte();
    const versioned = (first & VERSION_FLAG) !== 0;
    const version = versioned ? first & ~VERSION_FLAG : 'legacy';
    if (version !== 'legacy' && version > HIGHEST_VERSION) return null;
    const signerCount = versioned ? reader.byte() : first;
    reader.take(2);
    const staticKeys = reader.list(() => bs58.encode(reader.take(32)));
    const recentBlockhash = bs58.encode(reader.take(32));
    const instructions = reader.list(() => ({
      programIndex: reader.byte(),
      accounts: [...reader.take(reader.length())],
      data: reader.take(reader.length()),
    }));
    const lookupTables = versioned
      ? reader.list(() => {
          reader.take(32);
          reader.take(reader.length());
          reader.take(reader.length());
        }).length
      : 0;
    return reader.isAtEnd() && signatures.length > 0
      ? {
          signatures,
          version,
          signerCount,
          staticKeys,
          recentBlockhash,
          instructions,
          lookupTables,
        }
      : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

class Reader {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  byte(): number {
    const value = this.bytes[this.at];
    if (value === undefined) throw new RangeError('the bytes end early');
    this.at += 1;
    return value;
  }

  take(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) throw new RangeError('the bytes end early');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** Compact-u16: seven bits a byte, lowest first, at most three bytes. */
  length(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return value;
    }
    throw new RangeError('a length is too long');
  }

  list<T>(item: () => T): T[] {
    const count = this.length();
    const items: T[] = [];
    for (let i = 0; i < count; i += 1) items.push(item());
    return items;
  }

  isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }
}

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
