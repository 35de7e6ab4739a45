import { PublicKey } from '@solana/web3.js';

/** Program ids as deployed on mainnet and devnet. Bubblegum V2 uses the two `m…` programs. */
export const BUBBLEGUM = 'BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY';
export const ACCOUNT_COMPRESSION = 'mcmt6YrQEMKw8Mw43FmpRLmf7BqRnFMKmAcbxE3xkAW';
export const NOOP = 'mnoopTCrg4p8ry25e4bcWA9XZjbNjMTfgYVGGEdRsf3';
export const MPL_CORE = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d';
export const SYSTEM = '11111111111111111111111111111111';

/** The programs of Bubblegum V1, which V1 instructions name. A V2 tree has to refuse those. */
export const ACCOUNT_COMPRESSION_V1 = 'cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK';
export const NOOP_V1 = 'noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV';

const bubblegumKey = new PublicKey(BUBBLEGUM);

/** Base58 address of the tree's settings account, a program address whose only seed is the tree. */
export function treeConfigAddress(tree: string): string {
  const seeds = [new PublicKey(tree).toBytes()];
  return PublicKey.findProgramAddressSync(seeds, bubblegumKey)[0].toBase58();
}

/** Base58 asset id of the leaf with this number (0 is the first) in the tree. */
export function leafAssetId(tree: string, nonce: bigint): string {
  const number = Buffer.alloc(8);
  number.writeBigUInt64LE(nonce);
  const seeds = [Buffer.from('asset'), new PublicKey(tree).toBytes(), number];
  return PublicKey.findProgramAddressSync(seeds, bubblegumKey)[0].toBase58();
}
