import type { WireTransaction } from '@quittance/verify/chain/decode-wire';
import {
  mayFollow,
  readComputeLimit,
  readComputePrice,
  readTransfer,
} from './allowed-instructions';

/** What each signature of a transaction costs (Solana, lamports_per_signature). */
const SIGNATURE_LAMPORTS = 5_000n;
const MICRO = 1_000_000n;

/**
 * What one payment may ask for: two signatures, and as many compute units at this price. Clients ask for
 * 20,000 to 100,000 units at 1 micro-lamport.
 */
export const LIMITS = {
  computeUnits: 120_000,
  priorityFeeMicroLamports: 100_000,
  signatures: 2,
} as const;

/** What a payment within the limits costs the fee payer at most: 22,000 lamports. */
export const LARGEST_COST_LAMPORTS =
  BigInt(LIMITS.signatures) * SIGNATURE_LAMPORTS +
  (BigInt(LIMITS.computeUnits) * BigInt(LIMITS.priorityFeeMicroLamports)) / MICRO;

/** Reasons of the library for an instruction after the transfer that it does not know. */
const UNKNOWN_FOLLOWER =
  /^invalid_exact_svm_payload_unknown_(fourth|fifth|sixth|seventh|optional)_instruction$/;

/**
 * Our own list of what a payment may hold, instruction by instruction and account by account: what the fee
 * payer signs must not be able to spend from it. So it is an account of no instruction of any program, no
 * key comes from a lookup table, and every instruction is one of a plain payment. The library is asked as
 * well, but lets much of this pass. Gives the reason of a refusal, or null.
 */
export function scanWire(transaction: WireTransaction, feePayer: string): string | null {
  const unknown = scanKeys(transaction);
  if (unknown !== null) return unknown;
  const reason = firstReason(transaction, feePayer);
  return reason === null ? null : `invalid_exact_svm_payload_${reason}`;
}

/**
 * Why the keys of a transaction are not all in its bytes, or null: then nobody knows what it touches. The
 * library is not asked about it, because it throws at a key that is not there.
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

/** All keys behind the fee payer are compared because an instruction names them; what none names is not. */
function everyKeyIsUsed({ instructions }: WireTransaction, count: number): boolean {
  const used = new Set(
    instructions.flatMap(({ programIndex, accounts }) => [programIndex, ...accounts]),
  );
  return Array.from({ length: count - 1 }, (_, at) => at + 1).every((index) => used.has(index));
}
