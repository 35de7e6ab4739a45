import { z } from 'zod';
import { isSignature, isWalletAddress } from '@quittance/verify/wallets/base58';
import { invoiceIdLabel, serviceTypeLabel, transactionTypeLabel } from '@/server/receipts/labels';
import { beside, otherLegs } from './leg-schemas';

export const txSignature = z
  .string()
  .refine(isSignature, 'must be a transaction signature: base58 of 64 bytes');

export const walletAddress = z
  .string()
  .refine(isWalletAddress, 'must be a wallet address: base58 of 32 bytes');

export const mintInput = z.strictObject({
  tx_signature: txSignature,
  service_type: serviceTypeLabel,
  transaction_type: transactionTypeLabel.optional(),
  invoice_id: invoiceIdLabel.optional(),
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
  success: z.boolean(),
  transaction: z.string(),
  network: z.string(),
  payer: z.string().optional(),
  errorReason: z.string().optional(),
});

/**
 * A new receipt, or the one that exists: `outcome` tells 200 from 409 and is not part of the body;
 * `settlement` tells of the payment that bought it.
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
    /** What the sender gave, before a fee that the token program held back. */
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

/** The country is judged by the verb, whose refusal lists the codes. */
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
