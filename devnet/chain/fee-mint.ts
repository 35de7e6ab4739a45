import bs58 from 'bs58';
import { MINT_BYTES } from './token-state';

/** Layout of Token-2022: a mint with extensions is padded to the size of an account, then its type. */
const PADDED_BYTES = 165;
const TYPE_MINT = 1;
/** `TransferFeeConfig` (spl-token-2022, extension/transfer_fee): its number, and the bytes of its value. */
const EXTENSION = 1;
const CONFIG_BYTES = 108;
const CONFIG_OFFSET = PADDED_BYTES + 1 + 4;
/** Offsets of the two fees. Each is an epoch, a maximum in base units, and basis points. */
const FEE_OFFSETS = [CONFIG_OFFSET + 72, CONFIG_OFFSET + 90];
const NO_MOST = 2n ** 64n - 1n;

/**
 * A plain mint with a transfer fee of 0, which `withTransferFee` can raise, like PYUSD on mainnet.
 */
export function addFeeConfig(mint: Uint8Array, authority: string): Uint8Array {
  const data = Buffer.alloc(CONFIG_OFFSET + CONFIG_BYTES);
  data.set(mint.subarray(0, MINT_BYTES));
  data.writeUInt8(TYPE_MINT, PADDED_BYTES);
  data.writeUInt16LE(EXTENSION, PADDED_BYTES + 1);
  data.writeUInt16LE(CONFIG_BYTES, PADDED_BYTES + 3);
  for (const at of [0, 32]) data.set(bs58.decode(authority), CONFIG_OFFSET + at);
  return withTransferFee(data, 0) ?? data;
}

/** A mint with another transfer fee from now on. Null for a mint without a fee setting. */
export function withTransferFee(mint: Uint8Array, basisPoints: number): Uint8Array | null {
  const data = Buffer.from(mint);
  if (data.length < CONFIG_OFFSET + CONFIG_BYTES) return null;
  if (data.readUInt16LE(PADDED_BYTES + 1) !== EXTENSION) return null;
  for (const at of FEE_OFFSETS) {
    data.writeBigUInt64LE(0n, at);
    data.writeBigUInt64LE(NO_MOST, at + 8);
    data.writeUInt16LE(basisPoints, at + 16);
  }
  return new Uint8Array(data);
}
