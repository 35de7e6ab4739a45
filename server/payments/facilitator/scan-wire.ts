import type { WireTransaction } from '@/server/chain/decode-wire';

/** Wallets put its assertions about balances, also the fee payer's, into what they sign. */
const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';

/**
 * What one payment may cost our fee payer: 10,000 lamports for two signatures, and 12,000 for the compute
 * units at these limits. Clients ask for 20,000 to 100,000 units at 1 micro-lamport.
 */
export const LIMITS = {
  computeUnits: 120_000,
  priorityFeeMicroLamports: 100_000,
  signatures: 2,
} as const;

const SET_LIMIT = 2;
const SET_PRICE = 3;

/**
 * Our own look at a payment that the library found to be two compute budget instructions, a transfer and
 * guards or memos: our limits, and that the fee payer is an account of no instruction, for what it signs
 * must not be able to spend from it. The library does neither for v1, and lets memos name the fee payer.
 * Gives the reason of a refusal, or null.
 */
export function scanWire(transaction: WireTransaction, feePayer: string): string | null {
  const { instructions, staticKeys, signerCount } = transaction;
  if (signerCount > LIMITS.signatures) return 'invalid_exact_svm_payload_excessive_signers';
  const [limit, price] = instructions.map(({ data }) => Buffer.from(data));
  if (limit?.[0] !== SET_LIMIT || limit.length < 5 || limit.readUInt32LE(1) > LIMITS.computeUnits)
    return 'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high';
  if (
    price?.[0] !== SET_PRICE ||
    price.length < 9 ||
    price.readBigUInt64LE(1) > BigInt(LIMITS.priorityFeeMicroLamports)
  )
    return 'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high';
  const names = instructions.some(
    ({ programIndex, accounts }) =>
      staticKeys[programIndex] !== LIGHTHOUSE &&
      accounts.some((index) => (staticKeys[index] ?? feePayer) === feePayer),
  );
  return names ? 'invalid_exact_svm_payload_fee_payer_in_instruction' : null;
}
