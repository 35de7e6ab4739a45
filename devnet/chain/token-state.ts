import bs58 from 'bs58';
import { TOKEN, TOKEN22 } from './addresses';
import type { Acct, TokenBalance, UiTokenAmount } from './emulator';

/**
 * Size of a token account and of a mint. A Token-2022 account with extensions has its type at 165.
 */
const ACCOUNT_BYTES = 165;
export const MINT_BYTES = 82;
const TYPE_MINT = 1;
const TYPE_ACCOUNT = 2;

export type TokenAccount = {
  mint: string;
  owner: string;
  amount: bigint;
  delegate: string | null;
  delegatedAmount: bigint;
  state: 'initialized' | 'frozen';
  nativeReserve: bigint | null;
  closeAuthority: string | null;
  program: string;
};

export type TokenMint = {
  decimals: number;
  supply: bigint;
  isInitialized: boolean;
  mintAuthority: string | null;
  freezeAuthority: string | null;
  program: string;
};

export function isTokenProgram(program: string): boolean {
  return program === TOKEN || program === TOKEN22;
}

/** Reads an initialised token account of either token program. Null for anything else. */
export function readTokenAccount(account: Acct | null): TokenAccount | null {
  if (!account || !isTokenProgram(account.owner)) return null;
  const d = Buffer.from(account.data);
  if (d.length < ACCOUNT_BYTES || (d.length > ACCOUNT_BYTES && d[ACCOUNT_BYTES] !== TYPE_ACCOUNT))
    return null;
  const state = d[108];
  if (state !== 1 && state !== 2) return null;
  return {
    mint: key(d, 0),
    owner: key(d, 32),
    amount: d.readBigUInt64LE(64),
    delegate: optionalKey(d, 72),
    state: state === 2 ? 'frozen' : 'initialized',
    nativeReserve: d.readUInt32LE(109) === 1 ? d.readBigUInt64LE(113) : null,
    delegatedAmount: d.readBigUInt64LE(121),
    closeAuthority: optionalKey(d, 129),
    program: account.owner,
  };
}

/** Reads a mint of either token program. Null for anything else. */
export function readMint(account: Acct | null): TokenMint | null {
  if (!account || !isTokenProgram(account.owner)) return null;
  const d = Buffer.from(account.data);
  const plain = d.length === MINT_BYTES;
  const extended = d.length > ACCOUNT_BYTES && d[ACCOUNT_BYTES] === TYPE_MINT;
  if (!plain && !extended) return null;
  return {
    mintAuthority: optionalKey(d, 0),
    supply: d.readBigUInt64LE(36),
    decimals: d.readUInt8(44),
    isInitialized: d[45] === 1,
    freezeAuthority: optionalKey(d, 46),
    program: account.owner,
  };
}

/** `preTokenBalances` / `postTokenBalances` of a transaction. accounts[i] belongs to keys[i]. */
export function tokenBalances(
  keys: string[],
  accounts: (Acct | null)[],
  readOther: (address: string) => Acct | null,
): TokenBalance[] {
  const mintDecimals = (mint: string) => {
    const index = keys.indexOf(mint);
    return readMint(index < 0 ? readOther(mint) : (accounts[index] ?? null))?.decimals ?? 0;
  };
  return keys.flatMap((_, accountIndex) => {
    const token = readTokenAccount(accounts[accountIndex] ?? null);
    if (!token) return [];
    const amount = uiAmount(token.amount, mintDecimals(token.mint));
    return [
      {
        accountIndex,
        mint: token.mint,
        owner: token.owner,
        programId: token.program,
        // Nodes keep no float for an empty balance in the records of transactions.
        uiTokenAmount: token.amount === 0n ? { ...amount, uiAmount: null } : amount,
      },
    ];
  });
}

/** A token amount in the four ways that nodes print it. `uiAmount` is a float and loses digits. */
export function uiAmount(amount: bigint, decimals: number): UiTokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const text = decimals
    ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
    : digits;
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text };
}

function key(data: Buffer, offset: number): string {
  return bs58.encode(data.subarray(offset, offset + 32));
}

function optionalKey(data: Buffer, offset: number): string | null {
  return data.readUInt32LE(offset) === 1 ? key(data, offset + 4) : null;
}
