/** Program ids and mints that the reader knows. All are fixed on every Solana network. */
export const SYSTEM = '11111111111111111111111111111111';
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** Guards that wallets put into what they sign: assertions about accounts. */
export const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';
export const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

/**
 * The SPL Memo programs by version; all three carry the text as instruction data
 * (`SUPPORTED_MEMO_PROGRAM_ADDRESSES` of @solana-program/memo 0.15.0, which writes v4 by default).
 */
export const MEMO_PROGRAMS = {
  v1: 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  v3: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  v4: 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
} as const;

/** Ids of the memo programs, oldest first. A memo counts whichever of them carries it. */
export const MEMO_PROGRAM_IDS: readonly string[] = Object.values(MEMO_PROGRAMS);

/** Whether a program is one of the memo programs. */
export function isMemoProgram(programId: string | undefined): boolean {
  return programId !== undefined && MEMO_PROGRAM_IDS.includes(programId);
}

/** Programs that move assets without token balances: MPL Core, Bubblegum, account compression. */
export const ASSET_PROGRAMS: ReadonlySet<string> = new Set([
  'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d',
  'BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY',
  'mcmt6YrQEMKw8Mw43FmpRLmf7BqRnFMKmAcbxE3xkAW',
  'cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK',
]);

/**
 * Jito's tip accounts on mainnet (getTipAccounts of the Jito block engine; docs.jito.wtf). A tip buys
 * a place in a block, as a network fee does.
 */
export const TIP_ACCOUNTS: ReadonlySet<string> = new Set([
  '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5',
  'HFqU5x63VTqvQss8hp11i4wVV8bD44PvwucfZ2bU7gRe',
  'Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkY',
  'ADaUMid9yfUytqMBgopwjb2DTLSokTSzL1zt6iGPaS49',
  'DfXygSm4jCyNCybVYYK6DwvWqjKee8pbDmJGcLWNDXjh',
  'ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt',
  'DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL',
  '3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT',
]);

const ACCOUNT_OVERHEAD_BYTES = 128n;
const LAMPORTS_PER_BYTE = 6_960n;

/** Lamports that exempt an account of this size from rent (Solana rent sysvar: 3480 a byte-year, two years). */
export function rentLamports(bytes: bigint): bigint {
  return (ACCOUNT_OVERHEAD_BYTES + bytes) * LAMPORTS_PER_BYTE;
}

/** Rent of a 10 KiB account, the most that one instruction of a program can allocate. */
export const LARGEST_RENT_LAMPORTS = rentLamports(10_240n);

/** Size of a token account without extensions. */
export const TOKEN_ACCOUNT_BYTES = 165n;
export const TOKEN_ACCOUNT_RENT_LAMPORTS = rentLamports(TOKEN_ACCOUNT_BYTES);
