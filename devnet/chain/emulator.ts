import type { VersionedMessage } from '@solana/web3.js';

/** An account as the chain holds it. Treat it as immutable: write a new one with `set`. */
export type Acct = { lamports: bigint; owner: string; data: Uint8Array; executable: boolean };

/** An error as validators print it in JSON: a word, or an object with one key. */
export type JsonError = string | { [kind: string]: unknown };

export type InnerIx = {
  programIdIndex: number;
  accounts: number[];
  data: Uint8Array;
  stackHeight: number;
};

export type UiTokenAmount = {
  amount: string;
  decimals: number;
  uiAmount: number | null;
  uiAmountString: string;
};

export type TokenBalance = {
  accountIndex: number;
  mint: string;
  owner: string;
  programId: string;
  uiTokenAmount: UiTokenAmount;
};

/** The effects of a transaction, in the terms of `getTransaction`. */
export type Meta = {
  err: JsonError | null;
  fee: number;
  preBalances: number[];
  postBalances: number[];
  preTokenBalances: TokenBalance[];
  postTokenBalances: TokenBalance[];
  innerInstructions: { index: number; instructions: InnerIx[] }[];
  logMessages: string[];
  computeUnitsConsumed: number;
  returnData: null | { programId: string; data: [string, 'base64'] };
  loadedAddresses: { writable: string[]; readonly: string[] };
};

/** A transaction of the ledger. `keys` are the static keys, then loaded writable, then loaded readonly. */
export type TxRecord = {
  signature: string;
  slot: number;
  blockTime: number;
  wire: Uint8Array;
  message: VersionedMessage;
  signatures: string[];
  version: 'legacy' | 0;
  keys: string[];
  writable: boolean[];
  nStatic: number;
  meta: Meta;
};

/**
 * The interface of a program written in TypeScript. `get` gives a copy that the caller may change.
 */
export type ChainState = {
  get(address: string): Acct | null;
  set(address: string, account: Acct | null): void;
  /** Rent-exempt minimum in lamports of an account with this many bytes of data. */
  rent(bytes: number): bigint;
  slot(): number;
};

/** Fails the instruction: `ixErr` is the validator's name for it, or `{ Custom: code }`. */
export class EmuError extends Error {
  constructor(
    readonly ixErr: JsonError,
    readonly logs: string[] = [],
  ) {
    super(JSON.stringify(ixErr));
  }
}

export type EmuCtx = {
  chain: ChainState;
  keys: string[];
  /** Indexes into `keys`, in the order of the instruction. */
  accounts: number[];
  data: Uint8Array;
  isSigner: (index: number) => boolean;
  isWritable: (index: number) => boolean;
  /**
   * Index of an address in `keys`. Fails with MissingAccount when the transaction does not name it.
   */
  keyIndex: (address: string) => number;
  log: (line: string) => void;
  /** Takes the instructions that the program would have called, in order. */
  inner: InnerIx[];
  setReturn: (programId: string, data: Uint8Array) => void;
};

/**
 * A program written in TypeScript. It runs after the part of the transaction that the virtual
 * machine executes. All its writes are undone when it, or a later one, throws {@link EmuError}.
 */
export type Emulator = { programId: string; run(ctx: EmuCtx): { computeUnits: number } };
