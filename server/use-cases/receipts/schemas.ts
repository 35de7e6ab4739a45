import { MOST_CHARACTERS } from '@quittance/verify/receipts/clean-label';
import { isSignature, isWalletAddress } from '@quittance/verify/wallets/base58';
import { z } from 'zod';
import { invoiceIdLabel, serviceTypeLabel, transactionTypeLabel } from '@/server/receipts/labels';

const base = z.string().describe('Base units of the token, exact.');

/** An amount in the token named in the same object. */
const tokenAmount = {
  token: z.string().describe('Symbol of the token table, else the mint.'),
  mint: z.string().nullable().describe('Null for SOL.'),
  decimals: z.number().int(),
  amount: z.number(),
  amount_raw: base,
};

/** Another leg of the transaction: an amount that another owner got. */
export const leg = z.object({ owner: z.string(), ...tokenAmount });

/** A thing that the payer got and that has no valuation. */
export const goods = z.object(tokenAmount);

/** A movement that is not a leg. */
export const leftOut = z.object({
  reason: z
    .string()
    .describe(
      'network_fee, priority_fee, rent_opened, rent_returned, rent_grown, rent_handed_over, account_funding, tip, self_transfer, minted or burned.',
    ),
  from: z.string().nullable().describe('Owner that lost the amount; null for nobody.'),
  to: z.string().nullable().describe('Owner that gained the amount; null for nobody.'),
  account: z
    .string()
    .nullable()
    .describe('Account of the rent, or account that received the minted tokens.'),
  ...tokenAmount,
});

/** A price that decided which leg is the transfer. */
const legPrice = z.object({
  token: z.string(),
  mint: z.string().nullable(),
  usd: z.string().describe('US dollars for one unit.'),
  basis: z.string().describe('par, fx or market.'),
  source: z.string().nullable(),
});

const kind = z
  .enum(['wallet', 'program'])
  .describe('`program`: a vault, multisig, escrow or stream, which cannot sign.');

/** Every further leg of the transaction. */
const otherLegs = z
  .array(leg)
  .describe(
    'Every leg except the transfer: amounts that others received, and other tokens of the seller.',
  );

/** The other movements in the transaction of the transfer. */
export const beside = {
  payer_kind: kind,
  seller_kind: kind,
  goods: z
    .array(goods)
    .describe('Tokens without a valuation that the payer received for the payment.'),
  change: z.array(leg).describe('Tokens that an exchange returned to the payer.'),
  paid_with: z.array(leg).describe('Tokens that the payer gave to an exchange. Empty without one.'),
  left_out: z
    .array(leftOut)
    .describe(
      'Fees, rent, tips and similar amounts. With the legs they equal the change of each balance.',
    ),
  prices: z.array(legPrice).describe('Prices that decided which leg is the transfer.'),
};

export const txSignature = z
  .string()
  .refine(isSignature, 'must be a transaction signature: base58 of 64 bytes');

export const walletAddress = z
  .string()
  .refine(isWalletAddress, 'must be a wallet address: base58 of 32 bytes');

export const mintInput = z.strictObject({
  tx_signature: txSignature.describe('Signature of the payment that the receipt is for.'),
  service_type: serviceTypeLabel.describe(
    `Purpose of the payment: 1 to ${MOST_CHARACTERS.serviceType} characters. Public and permanent.`,
  ),
  transaction_type: transactionTypeLabel
    .optional()
    .describe(`Kind of payment: at most ${MOST_CHARACTERS.transactionType} characters. Public.`),
  invoice_id: invoiceIdLabel
    .optional()
    .describe(`Number of the invoice: at most ${MOST_CHARACTERS.invoiceId} characters. Public.`),
});
export type MintInput = z.output<typeof mintInput>;
export type MintBody = z.input<typeof mintInput>;

export const mintStatusWord = z.enum(['pending', 'completed', 'failed']);

export const mintCreatedBody = z.object({
  success: z.literal(true),
  receipt_id: z.string(),
  metadata_uri: z.url(),
  mint_signature: z.string().optional(),
  asset_name: z.string(),
  dtif_code: z.string().nullable(),
  mint_status: mintStatusWord,
  message: z.string(),
});
export type MintCreatedBody = z.infer<typeof mintCreatedBody>;

/** The receipt that a transaction has already. */
export const mintExistsBody = z.object({
  success: z.literal(true),
  receipt_id: z.string(),
  mint_status: mintStatusWord,
  message: z.string(),
});

export const settlement = z.object({
  success: z.boolean().describe('True if the payment was accepted.'),
  transaction: z.string().describe('Signature of the payment. Empty if no money moved.'),
  network: z.string().describe('Solana network, as x402 names it.'),
  payer: z.string().optional().describe('Wallet that paid.'),
  errorReason: z.string().optional().describe('Reason why the payment was not accepted.'),
});

/**
 * A new receipt, or the one that exists. `outcome` separates 200 from 409 and is not part of the
 * body. `settlement` describes the payment that bought it.
 */
export const mintOutcome = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('created'),
    body: mintCreatedBody,
    settlement: settlement.nullable(),
  }),
  z.object({
    outcome: z.literal('exists'),
    body: mintExistsBody,
  }),
]);
export type MintOutcome = z.infer<typeof mintOutcome>;

/** Seconds to hold an answer until it changes. */
export const waitSeconds = z.coerce
  .number('must be a whole number of seconds from 0 to 30')
  .int('must be a whole number of seconds from 0 to 30')
  .min(0, 'must be a whole number of seconds from 0 to 30')
  .max(30, 'must be a whole number of seconds from 0 to 30')
  .default(0);

export const mintStatusInput = z.strictObject({ receipt_id: z.string(), wait: waitSeconds });

export const mintStatusBody = z.object({
  success: z.literal(true),
  receipt_id: z.string(),
  mint_status: mintStatusWord,
  attempts: z.number().int().optional(),
  last_error: z.string().nullable().optional(),
  metadata_uri: z.url().optional(),
  mint_signature: z.string().optional(),
  asset_id: z.string().optional(),
});
export type MintStatusBody = z.infer<typeof mintStatusBody>;

const valuationBasis = z.enum(['par', 'fx', 'market']);

export const receiptBody = z.object({
  success: z.literal(true),
  receipt_id: z.string(),
  mint_status: mintStatusWord,
  attempts: z.number().int(),
  last_error: z.string().nullable(),
  tx_signature: z.string(),
  payer: z.string(),
  seller: z.string(),
  amount: z.number(),
  amount_raw: z.string(),
  decimals: z.number().int(),
  token: z.string(),
  asset_name: z.string(),
  mint: z.string().nullable(),
  dtif_code: z.string().nullable(),
  usd_amount: z.number(),
  usd_amount_raw: z.string(),
  valuation: z.string(),
  valuation_source: z.string().nullable(),
  fee_withheld: z.number(),
  fee_withheld_raw: z.string(),
  other_legs: otherLegs,
  /** Left out for receipts from before these were read. */
  ...z.object(beside).partial().shape,
  slot: z.number().int(),
  block_time: z.iso.datetime(),
  service_type: z.string(),
  transaction_type: z.string().nullable(),
  invoice_id: z.string().nullable(),
  reported_by: z.enum(['payer', 'seller']),
  labels_hidden: z
    .boolean()
    .describe('True if the operator hid the labels. Each label then holds a note.'),
  metadata_uri: z.url(),
  image_uri: z.url(),
  mint_signature: z.string().nullable(),
  asset_id: z.string().nullable(),
  tree: z.string().nullable(),
  leaf_index: z.number().int().nullable(),
  created_at: z.iso.datetime(),
});
export type ReceiptBody = z.infer<typeof receiptBody>;

export const verifyBody = z.object({
  success: z.literal(true),
  transaction: z.object({
    amount: z.number(),
    token: z.string(),
    sender: z.string(),
    receiver: z.string(),
    status: z.enum(['settled', 'pending']),
    tx_signature: z.string(),
    amount_raw: z.string(),
    /** The amount that the sender gave, before a fee that the token program withheld. */
    amount_sent: z.number(),
    amount_sent_raw: z.string(),
    decimals: z.number().int(),
    mint: z.string().nullable(),
    token_program: z.string().nullable(),
    dtif_code: z.string().nullable(),
    group_code: z.string().nullable(),
    fee_withheld: z.number(),
    fee_withheld_raw: z.string(),
    other_legs: otherLegs,
    ...beside,
    fee_payer: z.string(),
    memos: z.array(z.string()),
    references: z.array(z.string()),
    slot: z.number().int(),
    block_time: z.iso.datetime(),
    /** Null for a token without a valuation, and while no price can be had: `valuation_error` says so. */
    usd_amount: z.number().nullable(),
    usd_amount_raw: z.string().nullable(),
    valuation: valuationBasis.nullable(),
    valuation_source: z.string().nullable(),
    usd_provisional: z.boolean(),
    valuation_error: z.string().nullable(),
  }),
});
export type VerifyBody = z.infer<typeof verifyBody>;

/** The country is judged by the use case, whose refusal lists the codes. */
export const calculateInput = z.strictObject({
  tx_signature: txSignature,
  country: z.string().optional(),
});

export const calculateBody = z.object({
  success: z.literal(true),
  usd_amount: z.number(),
  local_currency: z.string(),
  local_amount: z.number(),
  exchange_rate: z.number(),
  rate_date: z.iso.date(),
  rate_source: z.string(),
  /** Whether rate or price may still change; see rate_date. */
  rate_provisional: z.boolean(),
  tx_signature: z.string(),
  country: z.string(),
  token: z.string(),
  mint: z.string().nullable(),
  amount: z.number(),
  amount_raw: z.string(),
  decimals: z.number().int(),
  valuation: valuationBasis,
  valuation_source: z.string().nullable(),
  usd_amount_raw: z.string(),
  /** Minor units of the currency, of which `local_decimals` are behind the point. */
  local_amount_raw: z.string(),
  local_decimals: z.number().int(),
  /** The rate as an exact decimal of up to 12 significant digits. */
  exchange_rate_raw: z.string(),
  block_time: z.iso.datetime(),
});
export type CalculateBody = z.infer<typeof calculateBody>;
