import { ComputeBudgetProgram, type PublicKey, TransactionInstruction } from '@solana/web3.js';
import { payload, usdcOf, type Shop, type Wish } from './exact.fixture';
import { settleExact, signExact } from './settle-exact';
import { verifyExact } from './verify-exact';

/** Reasons that several attacks share, without their prefix. */
export const REASONS = {
  named: 'payload_fee_payer_in_instruction',
  notAllowed: 'payload_instruction_not_allowed',
  unknown: 'payload_unknown_fourth_instruction',
  noTransfer: 'payload_no_transfer_instruction',
  transferring: 'payload_transaction_fee_payer_transferring_funds',
  limit: 'payload_transaction_instructions_compute_limit_instruction',
  price: 'payload_transaction_instructions_compute_price_instruction',
  unused: 'payload_unused_account',
  undecoded: 'payload_transaction_could_not_be_decoded',
} as const;

/** Presents a payment as a client would, and settles it when it is let through. */
export async function present(shop: Shop, version: 1 | 2, wire: Uint8Array) {
  const { chain, quote, parts, payTo } = shop;
  const lamports = () => chain.chain.get(shop.feePayer.toBase58())?.lamports ?? 0n;
  const [before, earned] = [lamports(), await usdcOf(chain, payTo)];
  const paymentPayload = payload(version, wire);
  const seen = await verifyExact({ version, paymentPayload, quote }, parts);
  if (seen.ok) {
    const signed = await signExact({ wire: seen.wire }, parts);
    await settleExact({ ...signed, waitMs: 10_000 }, parts);
  }
  return {
    reason: seen.ok ? null : seen.reason.replace('invalid_exact_svm_', ''),
    costLamports: before - lamports(),
    earned: (await usdcOf(chain, payTo)) - earned,
  };
}

/** The result of `present` for a payment that cost nothing and bought nothing. */
export const refusedFor = (reason: string) => ({ reason, costLamports: 0n, earned: 0n });

/** A payment with these instructions in place of the memo. */
export const followedBy = (...instructions: TransactionInstruction[]): Wish => ({
  shape: (plainOnes) => [...plainOnes.slice(0, 3), ...instructions],
});

export function plain(pubkey: PublicKey): TransactionInstruction['keys'][number] {
  return { pubkey, isSigner: false, isWritable: false };
}

/** Any instruction of the compute budget program. */
export function budget(
  data: number[],
  keys: TransactionInstruction['keys'] = [],
): TransactionInstruction {
  const { programId } = ComputeBudgetProgram;
  return new TransactionInstruction({ programId, keys, data: Buffer.from(data) });
}
