import { z } from 'zod';
import { QUOTE_ID, RECEIPT_ID, STATEMENT_ID } from '@/server/ids';
import { NAME } from '@/server/wallets/names/resolve-name';
import { OUTCOMES } from '@quittance/verify/receipts/check-line';
import { VERDICTS } from '@quittance/verify/receipts/verdict';
import { isWalletAddress } from '@quittance/verify/wallets/base58';
import { statementInput } from './statements/schemas';
import { mintInput, mintStatusWord, txSignature, verifyBody } from './receipts/schemas';

/** Requests of pages only; the REST interface does without. */

const walletAddress = z.string().refine(isWalletAddress, 'must be a wallet address');
const quoteId = z.string().regex(QUOTE_ID, 'must be the id of a quote');
/** Decimal, below 2^53. */
const blockHeight = z.string().regex(/^[0-9]{1,15}$/, 'must be a block height');
const receiptId = z.string().regex(RECEIPT_ID);

export const countriesBody = z.array(z.object({ code: z.string(), currency: z.string() }));

export const recentPaymentsInput = z.strictObject({
  wallet: walletAddress,
  /** `older` of the page before; left out for the newest. */
  cursor: txSignature.nullish(),
  /** The paging of tRPC's hooks sends it with each page. Pages only follow each other. */
  direction: z.literal('forward').optional(),
});
export type RecentPaymentsInput = z.output<typeof recentPaymentsInput>;

const recentPayment = z.object({
  tx_signature: z.string(),
  role: z.enum(['payer', 'seller']),
  counterparty: z.string(),
  amount_raw: z.string(),
  decimals: z.number().int(),
  token: z.string(),
  block_time: z.iso.datetime(),
  receipt_id: z.string().nullable(),
  /** A fee that was paid to this service. */
  is_fee: z.boolean(),
});
export const recentPaymentsBody = z.object({
  payments: z.array(recentPayment),
  /** Begins the next page; null on the last one. */
  older: z.string().nullable(),
});
export type RecentPaymentsBody = z.infer<typeof recentPaymentsBody>;

export const nameInput = z.strictObject({
  name: z.string().regex(NAME, 'must be a name like alice.sol, in lower case'),
});
export const nameBody = z.discriminatedUnion('state', [
  z.object({ state: z.literal('found'), name: z.string(), address: z.string() }),
  /**
   * `unknown`: no wallet has it. `no_names`: the network has none. `unsure`: the wallet is not
   * certain.
   */
  z.object({ state: z.enum(['unknown', 'no_names', 'unsure']), name: z.string() }),
]);
export type NameBody = z.infer<typeof nameBody>;

/** More than any entry may have; a request that is longer comes from no page. */
const entry = z.string().max(2_000).optional();
export const wordsInput = z.strictObject({
  service_type: entry,
  transaction_type: entry,
  invoice_id: entry,
  business_name: entry,
});
export type WordsInput = z.output<typeof wordsInput>;

const labelRefusal = z.discriminatedUnion('code', [
  z.object({ code: z.enum(['empty', 'half_character', 'link', 'handle']) }),
  z.object({ code: z.literal('too_long'), most: z.number().int(), length: z.number().int() }),
  z.object({ code: z.enum(['domain', 'prize', 'no_glyph']), found: z.string() }),
]);
const checkedWords = z.union([
  /** As it is written. */
  z.object({ text: z.string() }),
  z.object({ refusal: labelRefusal }),
]);
export type CheckedWords = z.infer<typeof checkedWords>;

/** An answer for each entry that was sent. */
export const wordsBody = z.object({
  service_type: checkedWords.optional(),
  transaction_type: checkedWords.optional(),
  invoice_id: checkedWords.optional(),
  business_name: checkedWords.optional(),
});
export type WordsBody = z.infer<typeof wordsBody>;

export const previewInput = z.strictObject({ tx_signature: txSignature, country: z.string() });

export const previewBody = z.object({
  transaction: verifyBody.shape.transaction,
  /** Its value in the currency of the country; null with the reason why there is none. */
  local: z
    .object({
      currency: z.string(),
      amount_raw: z.string(),
      decimals: z.number().int(),
      rate_date: z.iso.date(),
      rate_source: z.string(),
      provisional: z.boolean(),
    })
    .nullable(),
  local_error: z.string().nullable(),
  /** Fee in micro-USDC, "0" when free; null for a token that cannot be receipted. */
  price_raw: z.string().nullable(),
  receipt: z.object({ receipt_id: z.string(), mint_status: mintStatusWord }).nullable(),
  /** Why no fee can be paid at the moment; null when it can. */
  closed: z.string().nullable(),
});
export type PreviewBody = z.infer<typeof previewBody>;

export const prepareInput = z.strictObject({
  quote_id: quoteId,
  /** The request of the quote, in the form sent to `receipts.create` or `statements.create`. */
  request: z.union([mintInput, statementInput]),
  wallet: walletAddress,
  /** Whether the wallet returns what it signed (`sign`), or sends it (`send`). */
  mode: z.enum(['sign', 'send']),
  /** The wallet said that it did not send what was prepared before. */
  nothing_sent: z.boolean().default(false),
});
export type PrepareInput = z.output<typeof prepareInput>;

export const prepareBody = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('ready'),
    /** Unsigned, base64. */
    transaction: z.string(),
    /** Last block height at which it can land. */
    lands_until: blockHeight,
    amount_raw: z.string(),
    pay_to: z.string(),
    has_usdc: z.boolean(),
    usdc_raw: z.string(),
    has_sol: z.boolean(),
    lamports: z.string(),
    lamports_needed: z.string(),
  }),
  /** A payment of this quote, or another one for the same receipt, was made or may still land. */
  z.object({ state: z.literal('under_way'), quote_id: z.string() }),
]);
export type PrepareBody = z.infer<typeof prepareBody>;

/** Largest transaction of Solana, 1232 bytes, in base64. */
const MOST_WIRE_LETTERS = 1_644;

export const sendInput = z.strictObject({
  quote_id: quoteId,
  /** Signed, base64. */
  transaction: z.base64().max(MOST_WIRE_LETTERS),
});
export const sendBody = z.object({ signature: z.string() });

export const resumeInput = z.strictObject({
  quote_id: quoteId,
  /** Owner of the payment. */
  wallet: walletAddress.optional(),
  /** `lands_until` of the transaction that the wallet was given to sign. */
  lands_until: blockHeight.optional(),
});
export type ResumeInput = z.output<typeof resumeInput>;
export const resumeBody = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('bought'),
    /** Id of the receipt or statement. */
    bought_id: z.string(),
    /** False when somebody else's receipt was there first: the payment stays its payer's. */
    payment_used: z.boolean(),
  }),
  z.object({ state: z.literal('waiting'), signature: z.string().nullable() }),
  /** No money moved, and none can any more. */
  z.object({
    state: z.literal('nothing_paid'),
    reason: z.enum(['not_sent', 'expired', 'failed', 'not_counted']),
    detail: z.string().nullable(),
  }),
]);
export type ResumeBody = z.infer<typeof resumeBody>;

/** Completed steps of a mint, in their order. */
const progressStage = z.enum(['written', 'final', 'stored', 'sent', 'proven']);
export const progressInput = z.strictObject({
  /** Id of a receipt or a statement. */
  receipt_id: z.union([receiptId, z.string().regex(STATEMENT_ID)]),
  /** The stage and attempts that the caller knows: the answer is held back until they change. */
  known: z.object({ stage: progressStage, attempts: z.number().int() }).optional(),
});
export const progressBody = z.object({
  receipt_id: z.string(),
  mint_status: mintStatusWord,
  stage: progressStage,
  attempts: z.number().int(),
  last_error: z.string().nullable(),
  /** When the receipt was written, and the last sign of life. */
  since: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type ProgressBody = z.infer<typeof progressBody>;

export const retryStatementInput = z.strictObject({
  statement_id: z.string().regex(STATEMENT_ID),
});

const checkLine = z.object({
  id: z.string(),
  title: z.string(),
  outcome: z.enum(OUTCOMES),
  detail: z.string(),
});
export const checkInput = z.strictObject({ receipt_id: receiptId });
export const checkStatementInput = z.strictObject({
  statement_id: z.string().regex(STATEMENT_ID),
});
export const checkBody = z.object({
  /** `not_yet`: there is no proof on chain yet that could be checked. */
  state: z.enum(['checked', 'not_yet']),
  checked_at: z.iso.datetime().nullable(),
  /** In the words of the offline verifier; null while there is nothing to check. */
  verdict: z.enum(VERDICTS).nullable(),
  lines: z.array(
    z.object({
      /** `payment` of a receipt, `rows` of a statement, then the other three of both. */
      id: z.enum(['payment', 'rows', 'storage', 'nft', 'tree']),
      outcome: z.enum(OUTCOMES),
      evidence: z.array(checkLine),
    }),
  ),
  /** The state of the NFT after its mint. It changes no fact of the receipt. */
  since_mint: z.enum(['moved', 'burnt']).nullable(),
  /** How many payments of a statement were looked up on the chain, where it has too many to look up all. */
  partial: z.object({ checked: z.number().int(), of: z.number().int() }).nullable(),
});
export type CheckBody = z.infer<typeof checkBody>;
