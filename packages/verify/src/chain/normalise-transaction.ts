import { decodeWire } from './decode-wire';
import {
  rawTransactionSchema,
  type RawInstruction,
  type RawTokenBalance,
  type RawTransaction,
} from './raw-transaction';
import { readInstructions, type Instruction, type WireInstructions } from './read-instructions';

export type TokenBalance = {
  account: string;
  mint: string;
  owner: string | null;
  tokenProgram: string | null;
  amount: bigint;
  decimals: number;
};

/** A transaction in one form for all encodings, with execution order and resolved keys. */
export type NormalTransaction = {
  signature: string;
  slot: bigint;
  blockTime: Date | null;
  err: unknown;
  fee: bigint;
  feePayer: string;
  keys: string[];
  signers: ReadonlySet<string>;
  /** Signatures of the message, each of which costs a network fee. */
  signatureCount: number;
  lamports: ReadonlyMap<string, { before: bigint; after: bigint }>;
  tokensBefore: TokenBalance[];
  tokensAfter: TokenBalance[];
  /** Each top-level instruction followed by those it called. */
  instructions: Instruction[];
  /** False when the node kept no record of inner instructions. */
  hasInner: boolean;
};

/**
 * Brings a transaction of any encoding (`json`, `jsonParsed`, `base64`) into one form. A string says why
 * it cannot be read. The index space of accounts is static keys, then loaded writable, then loaded
 * read-only addresses.
 */
export function normaliseTransaction(input: RawTransaction): NormalTransaction | string {
  const checked = rawTransactionSchema.safeParse(input);
  if (!checked.success) return 'the answer of the node has an unknown shape';
  const raw = checked.data;
  if (raw.meta === null) return 'the node kept no balances for this transaction';
  const message = readMessage(raw);
  if (typeof message === 'string') return message;
  const { keys, signature } = message;
  const feePayer = keys[0];
  if (feePayer === undefined || signature === undefined) return 'the transaction names no accounts';
  const { preBalances, postBalances } = raw.meta;
  if (preBalances.length !== keys.length || postBalances.length !== keys.length)
    return 'keys and balances of the transaction do not match';

  const lamports = new Map<string, { before: bigint; after: bigint }>();
  for (const [index, key] of keys.entries()) {
    const before = toLamports(preBalances[index]);
    const after = toLamports(postBalances[index]);
    if (before === null || after === null) return 'a balance is not a whole number';
    lamports.set(key, { before, after });
  }
  const tokensBefore = readBalances(raw.meta.preTokenBalances ?? [], keys);
  const tokensAfter = readBalances(raw.meta.postTokenBalances ?? [], keys);
  const fee = toLamports(raw.meta.fee);
  if (!tokensBefore || !tokensAfter || fee === null) return 'a token balance cannot be read';
  const instructions = readInstructions(message.instructions, raw.meta.innerInstructions, keys);
  if (!instructions) return 'an instruction names an account that the transaction does not have';
  return {
    signature,
    slot: BigInt(raw.slot),
    blockTime: toTime(raw.blockTime),
    err: raw.meta.err ?? null,
    fee,
    feePayer,
    keys,
    signers: message.signers,
    signatureCount: message.signers.size,
    lamports,
    tokensBefore,
    tokensAfter,
    instructions,
    hasInner: Array.isArray(raw.meta.innerInstructions),
  };
}

type Message = {
  signature: string | undefined;
  keys: string[];
  signers: ReadonlySet<string>;
  instructions: RawInstruction[] | WireInstructions;
};

function readMessage(raw: RawTransaction): Message | string {
  const loaded = raw.meta?.loadedAddresses;
  const loadedKeys = loaded ? [...loaded.writable, ...loaded.readonly] : [];
  if (Array.isArray(raw.transaction)) {
    const wire = decodeWire(Buffer.from(raw.transaction[0], 'base64'));
    if (!wire) return 'the bytes of the transaction cannot be decoded';
    return {
      signature: wire.signatures[0],
      keys: [...wire.staticKeys, ...loadedKeys],
      signers: new Set(wire.staticKeys.slice(0, wire.signerCount)),
      instructions: wire.instructions,
    };
  }
  const { signatures, message } = raw.transaction;
  const keys: string[] = [];
  const signers = new Set<string>();
  for (const key of message.accountKeys) {
    const address = typeof key === 'string' ? key : key.pubkey;
    const signs =
      typeof key === 'string'
        ? keys.length < (message.header?.numRequiredSignatures ?? signatures.length)
        : key.signer === true;
    keys.push(address);
    if (signs) signers.add(address);
  }
  // `jsonParsed` lists loaded addresses among the keys already; `json` does not.
  const isParsed = message.accountKeys.some((key) => typeof key !== 'string');
  return {
    signature: signatures[0],
    keys: isParsed ? keys : [...keys, ...loadedKeys],
    signers,
    instructions: message.instructions,
  };
}

function readBalances(raw: RawTokenBalance[], keys: string[]): TokenBalance[] | null {
  const balances: TokenBalance[] = [];
  const seen = new Set<number>();
  for (const entry of raw) {
    const account = keys[entry.accountIndex];
    if (account === undefined || seen.has(entry.accountIndex)) return null;
    seen.add(entry.accountIndex);
    balances.push({
      account,
      mint: entry.mint,
      owner: entry.owner ?? null,
      tokenProgram: entry.programId ?? null,
      amount: BigInt(entry.uiTokenAmount.amount),
      decimals: entry.uiTokenAmount.decimals,
    });
  }
  return balances;
}

function toLamports(value: number | string | undefined): bigint | null {
  if (typeof value === 'string') return BigInt(value);
  return Number.isInteger(value) && value !== undefined ? BigInt(value) : null;
}

/** Block times are whole seconds; one outside the range of a Date counts as missing. */
function toTime(seconds: number | null | undefined): Date | null {
  if (typeof seconds !== 'number') return null;
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? null : time;
}
