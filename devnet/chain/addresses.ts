/** Programs and mints of mainnet that the embedded chain knows by name. */
export const SYSTEM = '11111111111111111111111111111111';
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN22 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ATA = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const VOTE = 'Vote111111111111111111111111111111111111111';
/** The SPL Memo programs by version (`SUPPORTED_MEMO_PROGRAM_ADDRESSES` of @solana-program/memo 0.15.0). */
export const MEMO_PROGRAMS = {
  v1: 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  v3: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  v4: 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
} as const;
export const MEMO_PROGRAM_IDS: readonly string[] = Object.values(MEMO_PROGRAMS);
export const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';
export const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';
export const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';

export type PlantedMint = { symbol: string; mint: string; program: string };

/** The stablecoins a receipt can be issued for, at their mainnet addresses. All have 6 decimals. */
export const PLANTED_MINTS: readonly PlantedMint[] = [
  { symbol: 'USDC', mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', program: TOKEN },
  { symbol: 'USDT', mint: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', program: TOKEN },
  { symbol: 'PYUSD', mint: '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', program: TOKEN22 },
  { symbol: 'EURC', mint: 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr', program: TOKEN },
  { symbol: 'USDG', mint: '2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH', program: TOKEN22 },
  { symbol: 'USDS', mint: 'USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA', program: TOKEN },
  { symbol: 'FDUSD', mint: '9zNQRsGLjNKwCUU5Gq5LR8beUCPzQMVMqKAi3SSZh54u', program: TOKEN },
  { symbol: 'USD1', mint: 'USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB', program: TOKEN },
];
export const PLANTED_DECIMALS = 6;
