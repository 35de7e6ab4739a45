import { z } from 'zod';
import { countryOf } from '@/server/rates/countries';
import { plainLine } from '@/server/receipts/labels';
import { isWalletAddress } from '@quittance/verify/wallets/base58';
import { mintStatusWord, walletAddress } from '../receipts/schemas';

const day = z.iso.date('must be a date like 2026-01-31');
const role = z.enum(['seller', 'payer']);
/** Mint address, or `SOL` for native SOL. */
const token = z
  .string()
  .refine((text) => text === 'SOL' || isWalletAddress(text), 'must be a mint address, or SOL');
const country = z
  .string()
  .refine((code) => countryOf(code) !== null, 'is not a country with a currency here')
  .default('US');

/** A page of 100 payments is more than anybody reads at once. */
const MOST_ROWS = 100;

/**
 * The wallet that the page shows. The session must be of that wallet, because another tab may have
 * signed in with another one.
 */
const ofWallet = { wallet: walletAddress };
export const walletInput = z.strictObject(ofWallet);
export const receiptInput = z.strictObject({ ...ofWallet, receipt_id: z.string() });

/** Days are UTC and inclusive. */
const filter = {
  role,
  first_day: day,
  last_day: day,
  token: token.optional(),
  search: z.string().max(120, 'must have at most 120 characters').optional(),
  status: z.enum(['pending', 'failed']).optional(),
};

/** Last payment of a page, in chain order: its receipt id, or its signature if it has no receipt. */
const rowCursor = z.strictObject({
  block_time: z.iso.datetime(),
  slot: z.int().nonnegative(),
  block_index: z.int().nonnegative(),
  id: z.string().max(88),
});
export type RowCursorBody = z.infer<typeof rowCursor>;

export const rowsInput = z.strictObject({
  ...ofWallet,
  ...filter,
  country,
  cursor: rowCursor.nullish(),
  limit: z.int().min(1).max(MOST_ROWS).default(25),
});
export type RowsInput = z.output<typeof rowsInput>;

const localValue = z.object({
  currency: z.string(),
  /** Plain decimal with all its digits. Null if the day has no rate. */
  amount: z.string().nullable(),
  provisional: z.boolean(),
});

/** One leg of a payment, with its receipt, or with the statement if only a statement lists it. */
export const rowBody = z.object({
  receipt_id: z.string().nullable(),
  statement_id: z.string().nullable(),
  tx_signature: z.string(),
  /** Number of this leg among the wallet's legs of the payment, from 1, and their count. */
  part: z.number().int(),
  parts: z.number().int(),
  block_time: z.iso.datetime(),
  counterparty: z.string(),
  token: z.string(),
  mint: z.string().nullable(),
  amount: z.string(),
  /** Null for a further leg in a token that has no value. */
  usd_amount: z.string().nullable(),
  local: localValue,
  service_type: z.string().nullable(),
  transaction_type: z.string().nullable(),
  invoice_id: z.string().nullable(),
  reported_by: z.enum(['payer', 'seller']).nullable(),
  automatic: z.boolean(),
  mint_status: mintStatusWord.nullable(),
  last_error: z.string().nullable(),
  label: z.string().nullable(),
  /** Only where the signed-in wallet is the seller; null: not known. */
  payer_country: z.string().nullable().optional(),
});
export type RowBody = z.infer<typeof rowBody>;

export const rowsBody = z.object({
  rows: z.array(rowBody),
  next: rowCursor.nullable(),
});
export type RowsBody = z.infer<typeof rowsBody>;

export const totalsInput = z.strictObject({ ...ofWallet, ...filter, country });
export type TotalsInput = z.output<typeof totalsInput>;

const value = { row_count: z.number().int(), usd_amount: z.string(), local_amount: z.string() };
const sum = { count: z.number().int(), ...value };
/** `count` is of transactions, each once; `row_count` is of legs. */
export const totalsBody = z.object({
  currency: z.string(),
  ...sum,
  /** Rows on days without a rate. No local amount includes them. */
  without_rate: z.number().int(),
  provisional: z.boolean(),
  by_token: z.array(
    z.object({ token: z.string(), mint: z.string().nullable(), amount: z.string(), ...value }),
  ),
  /** Every month of the period, those without receipts too, oldest first. */
  by_month: z.array(z.object({ month: z.string(), ...sum })),
});
export type TotalsBody = z.infer<typeof totalsBody>;

/** Only of the payments that the wallet received. */
export const countriesInput = z.strictObject({ ...ofWallet, ...filter }).omit({ role: true });
export type CountriesInput = z.output<typeof countriesInput>;
export const countriesBody = z.object({
  countries: z.array(
    z.object({ country: z.string(), count: z.number().int(), usd_amount: z.string() }),
  ),
});
export type CountriesBody = z.infer<typeof countriesBody>;

export const attentionBody = z.object({
  pending: z.number().int(),
  failed: z.number().int(),
  fee_due: z.object({
    count: z.number().int(),
    items: z.array(
      z.object({
        tx_signature: z.string(),
        payer: z.string(),
        token: z.string(),
        amount: z.string(),
        usd_amount: z.string(),
        fee: z.string(),
        block_time: z.iso.datetime(),
      }),
    ),
  }),
});
export type AttentionBody = z.infer<typeof attentionBody>;

const LABEL_LENGTH = 64;
/** Private, so any readable text is allowed. Empty removes it. */
export const labelInput = receiptInput.extend({
  label: plainLine({ most: LABEL_LENGTH, mayBeEmpty: true }),
});

/** Pages name their wallet. Other callers may leave it out. */
export const csvInput = rowsInput
  .omit({ cursor: true, limit: true })
  .extend({ wallet: walletAddress.optional() });
export type CsvInput = z.output<typeof csvInput>;
