import { z } from 'zod';
import { mintStatusWord, txSignature, walletAddress } from '../receipts/schemas';

const record = z.record(z.string(), z.unknown());
const receiptId = z.string().regex(/^[0-9A-Z]{12}$/, 'is not the id of a receipt or statement');
const instant = z.iso.datetime();

export const adminMintsInput = z.strictObject({
  status: mintStatusWord.optional(),
  cursor: z.string().max(64).optional(),
});
export type AdminMintsInput = z.input<typeof adminMintsInput>;

export const adminMintsBody = z.object({
  success: z.literal(true),
  mints: z.array(
    z.object({
      receipt_id: z.string(),
      kind: z.string(),
      mint_status: mintStatusWord,
      stage: z.string(),
      attempts: z.number().int(),
      last_error: z.string().nullable(),
      paid: z.boolean(),
      redrives: z.number().int(),
      mint_signature: z.string().nullable(),
      created_at: instant,
      updated_at: instant,
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const adminMintInput = z.strictObject({ receipt_id: receiptId });
/** Rows as stored, with numbers of any size as text. */
export const mintStoryBody = z.object({
  success: z.literal(true),
  mint: record.describe('The mint as stored.'),
  tries: z.array(record),
  audit: z.array(record),
});

export const retryBody = z.object({
  success: z.literal(true),
  receipt_id: z.string(),
  mint_status: mintStatusWord,
  message: z.string(),
});
export const retryAllBody = z.object({
  success: z.literal(true),
  retried: z.array(z.string()),
  /** Whether there are more: send the request again. */
  more: z.boolean(),
});

/** The cursor is of unpresented arrivals, so later pages hold only those. */
export const heldInput = z.strictObject({ cursor: z.string().max(128).optional() });
export type HeldInput = z.output<typeof heldInput>;
export const heldBody = z.object({
  success: z.literal(true),
  mints: z.array(record).describe('Mints that operators hold, as stored.'),
  payments: z.array(record),
  /** Unpresented payments that arrived at PAY_TO, oldest first. */
  arrived: z.array(
    z.object({
      signature: z.string(),
      wallet: z.string(),
      token: z.string(),
      amount: z.string(),
      left: z.string(),
      left_raw: z.string(),
      slot: z.number().int(),
      block_time: instant,
      /** Empty where too few nodes show them. */
      payers: z.array(z.string()),
      /** Two nodes agree on it, or the only one shows it. Refund nothing otherwise. */
      witnessed: z.boolean(),
      held: z.boolean(),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const undecidedBody = z.object({ success: z.literal(true), undecided: z.array(record) });

/** `checked`: what the operator checked, for the record. */
export const closeUndecidedInput = z.strictObject({
  signature: txSignature.describe('Signature of the undecided transaction.'),
  checked: z.string().trim().min(20, 'must say what you checked').max(500),
});
export type CloseUndecidedInput = z.input<typeof closeUndecidedInput>;
export const closeUndecidedBody = z.object({
  success: z.literal(true),
  signature: z.string().describe('Signature of the transaction.'),
  message: z.string(),
});

export const forgetInput = z.strictObject({
  wallet_address: walletAddress,
});
export type ForgetInput = z.input<typeof forgetInput>;
export const forgetBody = z.object({
  success: z.literal(true),
  wallet_address: z.string(),
  message: z.string(),
});

/**
 * A text that a person wrote: the labels of a receipt, or the business name of a wallet. `reason`
 * is recorded.
 */
export const hideInput = z
  .strictObject({
    receipt_id: receiptId.optional(),
    wallet_address: walletAddress.optional(),
    hidden: z.boolean().default(true),
    reason: z.string().trim().min(10, 'must say why').max(500).describe('Why, for the record.'),
  })
  .refine(
    ({ receipt_id: id, wallet_address: wallet }) => (id === undefined) !== (wallet === undefined),
    { message: 'name one of receipt_id and wallet_address', path: ['receipt_id'] },
  );
export type HideInput = z.input<typeof hideInput>;
export const hideBody = z.object({
  success: z.literal(true),
  receipt_id: z.string().nullable(),
  wallet_address: z.string().nullable(),
  hidden: z.boolean(),
  message: z.string(),
});

/** Without ids, all that wait. */
export const releaseInput = z.strictObject({
  receipt_ids: z.array(receiptId).min(1).max(200).optional(),
});
export type ReleaseInput = z.input<typeof releaseInput>;
export const releaseBody = z.object({ success: z.literal(true), released: z.array(z.string()) });
