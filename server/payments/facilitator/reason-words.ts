/** What a reason means and what to do, for the message of a refusal; clauses, to stand after a colon. */
const WORDS: Readonly<Record<string, string>> = {
  payload_amount_mismatch: 'the transfer is not exactly the price of the quote',
  payload_mint_mismatch: 'the transfer is not in USDC',
  payload_recipient_mismatch: "the transfer does not go to payTo's USDC account",
  fee_payer_mismatch: 'the fee payer of the transaction is not extra.feePayer',
  payload_transaction_fee_payer_transferring_funds: 'the fee payer must not be who pays',
  payload_fee_payer_in_instruction: 'no instruction may have the fee payer among its accounts',
  payload_lookup_tables: 'no account may come from an address lookup table',
  payload_instruction_not_allowed:
    'only memos may follow the transfer, and assertions of Lighthouse about the payer and the accounts of the transfer',
  payload_unused_account: 'it names an account that no instruction uses',
  fee_payer_spends_too_much: 'it would cost the fee payer more than the network fee',
  payload_excessive_signers: 'more than two signatures are required',
  payload_signature_invalid: 'a signature is missing or wrong',
  payload_transaction_could_not_be_decoded: 'the transaction cannot be read',
  payload_transaction_instructions_length:
    'the transaction must hold a compute limit, a compute price, the transfer and at most a memo and guards',
  payload_no_transfer_instruction:
    'the third instruction must be TransferChecked of SPL Token, by the one wallet that signs',
  payload_transaction_instructions_compute_limit_instruction_too_high:
    'the compute limit is above 120,000 units',
  payload_transaction_instructions_compute_price_instruction_too_high:
    'the compute price is above 100,000 micro-lamports',
  payload_memo_mismatch: 'the memo names another quote',
  payload_blockhash_nearly_over:
    'fewer than 60 blocks are left of its blockhash, so sign a new transaction with a newer one',
  payload_payer_not_owner: 'the owner of the debited account must sign, not a delegate',
};
const PREFIX = 'invalid_exact_svm_';
/** SPL Token's error 1, in the third instruction. */
const TOO_LITTLE = '{"InstructionError":[2,{"Custom":1}]}';

/** Words for a reason; `detail` is what the simulation said. */
export function wordsFor(reason: string, detail: string | null): string {
  if (detail === '"BlockhashNotFound"')
    return 'its blockhash is too old or unknown, so sign a new transaction';
  if (detail === TOO_LITTLE) return 'the paying account holds less than the price';
  const words = WORDS[reason.slice(PREFIX.length)];
  if (words !== undefined) return words;
  if (detail !== null) return `it would fail on chain (${detail.slice(0, 200)})`;
  return `it does not have the form of the exact scheme (${reason})`;
}
