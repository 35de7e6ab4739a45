import bs58 from 'bs58';
import { BLOCKHASH_LIFE_BLOCKS } from '@/server/chain/landing-margin';

/**
 * Blocks that must be left of a payment's blockhash when it is verified. Sending takes a few; a payment with
 * fewer left could be made to expire, and holds what it buys until it is proven that it did.
 */
export const LEAST_BLOCKS_LEFT = 60n;

/** Layout of the account of recent blockhashes: a count (u64), then hash and fee of each, newest first. */
const COUNT_BYTES = 8;
const HASH_BYTES = 32;
const ENTRY_BYTES = 40;

/**
 * In how many more blocks a blockhash is accepted, by the data of the system account of recent blockhashes
 * (agave, sdk/sysvar/src/recent_blockhashes.rs). Null for a hash that the account does not hold.
 */
export function blocksLeft(data: Uint8Array, blockhash: string): bigint | null {
  const wanted = Buffer.from(bs58.decode(blockhash));
  const bytes = Buffer.from(data);
  for (let at = COUNT_BYTES; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    if (!wanted.equals(bytes.subarray(at, at + HASH_BYTES))) continue;
    return BLOCKHASH_LIFE_BLOCKS - BigInt((at - COUNT_BYTES) / ENTRY_BYTES);
  }
  return null;
}
