import type { CompiledInstruction, WireTransaction } from '@quittance/verify/chain/decode-wire';
import { COMPUTE_BUDGET, isMemoProgram, LIGHTHOUSE } from '@quittance/verify/chain/programs';
import { type PlainTransfer, readTransferChecked } from '../transfer-checked';

/** Cost of each signature of a transaction (Solana, lamports_per_signature). */
const SIGNATURE_LAMPORTS = 5_000n;
const MICRO = 1_000_000n;

/**
 * The limits of one payment: two signatures, and as many compute units at this price. Clients ask
 * for 20,000 to 100,000 units at 1 micro-lamport.
 */
export const LIMITS = {
  computeUnits: 120_000,
  priorityFeeMicroLamports: 100_000,
  signatures: 2,
} as const;

/** The most that a payment within the limits costs the fee payer: 22,000 lamports. */
export const LARGEST_COST_LAMPORTS =
  BigInt(LIMITS.signatures) * SIGNATURE_LAMPORTS +
  (BigInt(LIMITS.computeUnits) * BigInt(LIMITS.priorityFeeMicroLamports)) / MICRO;

/** Reasons of the library for an instruction after the transfer that it does not know. */
const UNKNOWN_FOLLOWER =
  /^invalid_exact_svm_payload_unknown_(fourth|fifth|sixth|seventh|optional)_instruction$/;

/**
 * Our own list of what a payment may hold, instruction by instruction and account by account. The
 * transaction that the fee payer signs must not be able to spend from it. So it is an account of no
 * instruction, no key comes from a lookup table, and every instruction is one of a plain payment.
 * The library is asked as well, but accepts much of this. Returns the reason of a refusal, or null.
 */
export function scanWire(transaction: WireTransaction, feePayer: string): string | null {
  const unknown = scanKeys(transaction);
  if (unknown !== null) return unknown;
  const reason = firstReason(transaction, feePayer);
  return reason === null ? null : `invalid_exact_svm_payload_${reason}`;
}

/**
 * Why the keys of a transaction are not all in its bytes, or null. With missing keys its accounts
 * are unknown. The library is not asked about such a transaction, because it throws at a missing
 * key.
 */
export function scanKeys({
  instructions,
  staticKeys,
  lookupTables,
}: WireTransaction): string | null {
  if (lookupTables > 0) return 'invalid_exact_svm_payload_lookup_tables';
  const isWhole = instructions.every(({ programIndex, accounts }) =>
    [programIndex, ...accounts].every((index) => index < staticKeys.length),
  );
  return isWhole ? null : 'invalid_exact_svm_payload_transaction_could_not_be_decoded';
}

/** Whether the library refused nothing but a memo of a version it does not know, once the scan passed. */
export function isUnknownFollower(reason: string): boolean {
  return UNKNOWN_FOLLOWER.test(reason);
}

function firstReason(transaction: WireTransaction, feePayer: string): string | null {
  const { instructions, signerCount, staticKeys } = transaction;
  if (signerCount > LIMITS.signatures) return 'excessive_signers';
  const limit = readComputeLimit(transaction);
  if (limit === null || limit > LIMITS.computeUnits)
    return 'transaction_instructions_compute_limit_instruction_too_high';
  const price = readComputePrice(transaction);
  if (price === null || price > BigInt(LIMITS.priorityFeeMicroLamports))
    return 'transaction_instructions_compute_price_instruction_too_high';
  if (namesFeePayer(transaction, feePayer)) return 'fee_payer_in_instruction';
  if (signerCount < LIMITS.signatures || readTransfer(transaction) === null)
    return 'no_transfer_instruction';
  if (!instructions.slice(3).every((one) => mayFollow(one, transaction)))
    return 'instruction_not_allowed';
  return everyKeyIsUsed(transaction, staticKeys.length) ? null : 'unused_account';
}

function namesFeePayer({ instructions, staticKeys }: WireTransaction, feePayer: string): boolean {
  return instructions.some(({ programIndex, accounts }) =>
    [programIndex, ...accounts].some((index) => staticKeys[index] === feePayer),
  );
}

/**
 * All keys after the fee payer are compared, because an instruction names them. A key that no
 * instruction names is not.
 */
function everyKeyIsUsed({ instructions }: WireTransaction, count: number): boolean {
  const used = new Set(
    instructions.flatMap(({ programIndex, accounts }) => [programIndex, ...accounts]),
  );
  return Array.from({ length: count - 1 }, (_, at) => at + 1).every((index) => used.has(index));
}

/** Position among the keys of the one signer other than the fee payer: the payer. */
const PAYER_AT = 1;

/** Tags of the compute budget program (Solana SDK, compute-budget-interface). */
const SET_LIMIT = 2;
const SET_PRICE = 3;

/**
 * Lighthouse's assertions about data, lamports and tokens of accounts, by the first byte of their
 * data (npm lighthouse-sdk 2.1.0, `*_DISCRIMINATOR`). Included: AssertAccountData and its Multi (2,
 * 3), AssertAccountDelta (4), AssertAccountInfo and its Multi (5, 6), AssertTokenAccount and its
 * Multi (9, 10). They read accounts, can fail the transaction, and do nothing else.
 *
 * Left out:
 * - instructions that move lamports (0, 1)
 * - assertions that no payer or token account can meet (mint, stake, loader, Bubblegum: 7, 8, 11 to
 * 14, 17)
 * - the clock (15), with which a payer can make a payment fail at will
 * - calls of another program (16)
 */
const ASSERTIONS: ReadonlySet<number | undefined> = new Set([2, 3, 4, 5, 6, 9, 10]);
/**
 * How an assertion logs, by its second byte (LogLevel). EncodedNoop (3, 6) is left out, because it
 * calls another program.
 */
const LOG_LEVELS: ReadonlySet<number | undefined> = new Set([0, 1, 2, 4, 5]);

/** The compute limit of the first instruction in units, or null when it is no plain SetComputeUnitLimit. */
function readComputeLimit(transaction: WireTransaction): number | null {
  const data = dataOf(transaction, 0, COMPUTE_BUDGET);
  return data?.length === 5 && data[0] === SET_LIMIT ? data.readUInt32LE(1) : null;
}

/** The price of the second instruction in micro-lamports, or null when it is no plain SetComputeUnitPrice. */
function readComputePrice(transaction: WireTransaction): bigint | null {
  const data = dataOf(transaction, 1, COMPUTE_BUDGET);
  return data?.length === 9 && data[0] === SET_PRICE ? data.readBigUInt64LE(1) : null;
}

/** The third instruction as SPL Token's TransferChecked by the one signer, or null when it is another. */
export function readTransfer(transaction: WireTransaction): PlainTransfer | null {
  const [, , instruction] = transaction.instructions;
  const transfer = instruction ? readTransferChecked(instruction, transaction) : null;
  return transfer?.authorityAt === PAYER_AT ? transfer : null;
}

/**
 * Whether an instruction after the transfer is allowed. It may be a memo that at most the payer
 * signs, or an assertion about the payer or the two accounts of the transfer. Other accounts (a
 * clock, a supply, a price) change without the payer. A payer could choose one so that the
 * simulation passes and the payment fails at the fee payer's cost.
 */
function mayFollow(instruction: CompiledInstruction, transaction: WireTransaction): boolean {
  const { programIndex, accounts, data } = instruction;
  const { staticKeys } = transaction;
  const program = staticKeys[programIndex];
  if (isMemoProgram(program)) return accounts.every((index) => index === PAYER_AT);
  if (program !== LIGHTHOUSE || !ASSERTIONS.has(data[0]) || !LOG_LEVELS.has(data[1])) return false;
  const transfer = readTransfer(transaction);
  const guarded = [staticKeys[PAYER_AT], transfer?.source, transfer?.destination];
  return accounts.every((index) => guarded.includes(staticKeys[index]));
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
