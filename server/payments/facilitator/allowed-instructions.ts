import type { CompiledInstruction, WireTransaction } from '@/server/chain/decode-wire';
import { COMPUTE_BUDGET, isMemoProgram, LIGHTHOUSE, TOKEN } from '@/server/chain/programs';

/** Where the one signer beside the fee payer stands among the keys: it is who pays. */
const PAYER_AT = 1;

/** Tags of the compute budget program (Solana SDK, compute-budget-interface). */
const SET_LIMIT = 2;
const SET_PRICE = 3;
/** Tag of SPL Token's TransferChecked, and its data: tag, amount (u64), decimals. */
const TRANSFER_CHECKED = 12;
const TRANSFER_BYTES = 10;
/** Accounts of TransferChecked: source, mint, destination, authority. More would be signers of a multisig. */
const TRANSFER_ACCOUNTS = 4;

/**
 * Lighthouse's assertions, by the first byte of their data (npm lighthouse-sdk 2.1.0, `*_DISCRIMINATOR`;
 * Jac0xb/lighthouse, programs/lighthouse/src/instruction.rs). They read accounts and fail the transaction,
 * nothing else. Not among them: MemoryWrite (0) and MemoryClose (1), which move their payer's lamports, and
 * AssertMerkleTreeAccount (16), which calls another program.
 */
const FIRST_ASSERTION = 2;
const LAST_ASSERTION = 17;
const CALLING_ASSERTION = 16;

/** The compute limit of the first instruction in units, or null when it is no plain SetComputeUnitLimit. */
export function readComputeLimit(transaction: WireTransaction): number | null {
  const data = dataOf(transaction, 0, COMPUTE_BUDGET);
  return data?.length === 5 && data[0] === SET_LIMIT ? data.readUInt32LE(1) : null;
}

/** The price of the second instruction in micro-lamports, or null when it is no plain SetComputeUnitPrice. */
export function readComputePrice(transaction: WireTransaction): bigint | null {
  const data = dataOf(transaction, 1, COMPUTE_BUDGET);
  return data?.length === 9 && data[0] === SET_PRICE ? data.readBigUInt64LE(1) : null;
}

export type PlainTransfer = {
  source: string;
  mint: string;
  destination: string;
  authority: string;
  amount: bigint;
};

/** The third instruction as SPL Token's TransferChecked by the one signer, or null when it is another. */
export function readTransfer(transaction: WireTransaction): PlainTransfer | null {
  const { instructions, staticKeys } = transaction;
  const [, , instruction] = instructions;
  if (!instruction || staticKeys[instruction.programIndex] !== TOKEN) return null;
  const data = Buffer.from(instruction.data);
  if (data.length !== TRANSFER_BYTES || data[0] !== TRANSFER_CHECKED) return null;
  const { accounts } = instruction;
  if (accounts.length !== TRANSFER_ACCOUNTS || accounts[3] !== PAYER_AT) return null;
  const [source, mint, destination, authority] = accounts.map((index) => staticKeys[index]);
  if (!source || !mint || !destination || !authority) return null;
  return { source, mint, destination, authority, amount: data.readBigUInt64LE(1) };
}

/** Whether an instruction after the transfer is a memo that at most the payer signs, or an assertion. */
export function mayFollow(
  instruction: CompiledInstruction,
  { staticKeys }: WireTransaction,
): boolean {
  const { programIndex, accounts, data } = instruction;
  const program = staticKeys[programIndex];
  if (isMemoProgram(program)) return accounts.every((index) => index === PAYER_AT);
  return program === LIGHTHOUSE && isAssertion(data[0]);
}

function isAssertion(tag: number | undefined): boolean {
  return (
    tag !== undefined &&
    tag >= FIRST_ASSERTION &&
    tag <= LAST_ASSERTION &&
    tag !== CALLING_ASSERTION
  );
}

/** Data of the instruction at a place, when it is of this program and names no account. */
function dataOf(
  { instructions, staticKeys }: WireTransaction,
  at: number,
  program: string,
): Buffer | null {
  const instruction = instructions[at];
  if (!instruction || instruction.accounts.length > 0) return null;
  return staticKeys[instruction.programIndex] === program ? Buffer.from(instruction.data) : null;
}
