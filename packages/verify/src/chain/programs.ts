/** Program ids and mints that the reader knows. All are fixed on every Solana network. */
export const SYSTEM = '11111111111111111111111111111111';
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** The system account that lists the newest blockhashes. */
export const RECENT_BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111';
/** Guards that wallets add to transactions they sign: assertions about accounts. */
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

/** Address lookup tables, which grow by `ExtendLookupTable`. */
export const LOOKUP_TABLE = 'AddressLookupTab1e1111111111111111111111111';
/** The upgradeable loader, whose program accounts grow by `ExtendProgram` or `ExtendProgramChecked`. */
export const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
/** Staking: accounts of these programs hold SOL that only their withdrawer can take. */
export const STAKE = 'Stake11111111111111111111111111111111111111';
export const VOTE = 'Vote111111111111111111111111111111111111111';
/** Sizes of their accounts (`StakeStateV2::size_of`, `VoteStateV3::size_of`), which never change. */
export const STAKE_ACCOUNT_BYTES = 200n;
export const VOTE_ACCOUNT_BYTES = 3_762n;
/** Programs with an instruction that makes an account of theirs larger; Token-2022 is one more. */
export const GROWING_PROGRAMS = [LOOKUP_TABLE, UPGRADEABLE_LOADER] as const;

/** Precompiles that check signatures: each signature in them costs a network fee. */
export const SIGNATURE_CHECKS: ReadonlySet<string> = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);

/** The network fee of one signature. All above it is priority fee. */
export const SIGNATURE_FEE_LAMPORTS = 5_000n;

const ACCOUNT_OVERHEAD_BYTES = 128n;
const LAMPORTS_PER_BYTE = 6_960n;

/** Lamports that exempt an account of this size from rent (Solana rent sysvar: 3480 a byte-year, two years). */
export function rentLamports(bytes: bigint): bigint {
  return (ACCOUNT_OVERHEAD_BYTES + bytes) * LAMPORTS_PER_BYTE;
}

/**
 * The most that one instruction of a program can allocate (`MAX_PERMITTED_DATA_INCREASE`): 10 KiB.
 */
const LARGEST_ACCOUNT_BYTES = 10_240n;

/** Lamports that lie about in real accounts above their rent: `jup-limit-v1-cancel` of the corpus has two. */
const STRAY_LAMPORTS = 10n;

/**
 * Whether lamports are exactly the rent exemption of an account of some whole number of bytes,
 * apart from stray lamports. The size is from an empty account up to 10 KiB. Any other sum is more
 * than rent, or less.
 */
export function isExactRent(lamports: bigint): boolean {
  const bytes = lamports / LAMPORTS_PER_BYTE - ACCOUNT_OVERHEAD_BYTES;
  const isWhole = lamports % LAMPORTS_PER_BYTE <= STRAY_LAMPORTS;
  return isWhole && bytes >= 0n && bytes <= LARGEST_ACCOUNT_BYTES;
}

/** Size of a token account without extensions. */
export const TOKEN_ACCOUNT_BYTES = 165n;
export const TOKEN_ACCOUNT_RENT_LAMPORTS = rentLamports(TOKEN_ACCOUNT_BYTES);

/** Rent of the largest token account with extensions that is met in practice: about 1,000 bytes. */
export const LARGEST_TOKEN_RENT_LAMPORTS = rentLamports(1_000n);

/** SOL up to this into a program account, without a reason that instructions show, funds the account. */
export const ACCOUNT_FUNDING_LAMPORTS = 10_000_000n;

/** Rent for bytes that are added to an account that is already open. */
export function growthLamports(bytes: bigint): bigint {
  return bytes * LAMPORTS_PER_BYTE;
}

export const SOL_DECIMALS = 9;

/** Native and wrapped SOL are one token; every other token is its mint. */
export function assetOf(mint: string | null): string | null {
  return mint === WRAPPED_SOL ? null : mint;
}
