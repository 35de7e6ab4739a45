import { z } from 'zod';
import { txSignature } from '../receipts/schemas';

const money = z.number();
const raw = z.string();

export const pricingBody = z.object({
  success: z.literal(true),
  network: z.string(),
  asset: z.literal('USDC'),
  asset_mint: z.string(),
  pay_to: z.string(),
  fee_payer: z.string().describe('Account that pays the network fee of x402 payments.'),
  /** The least that a client's spend cap must allow. */
  largest_price: money,
  largest_price_raw: raw,
  /** Whether payments are taken now, and if not, why. */
  open: z.boolean(),
  reason: z.string().nullable().describe('Reason if `open` is false, otherwise null.'),
  /** The same for payments of x402 v1 and v2, which the service sends. */
  x402_open: z.boolean(),
  x402_reason: z.string().nullable(),
  routes: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      least_price: money,
      least_price_raw: raw,
      most_price: money,
      most_price_raw: raw,
      rule: z.string(),
    }),
  ),
});
export type PricingBody = z.infer<typeof pricingBody>;

export const paymentInput = z.strictObject({ signature: txSignature });

export const paymentBody = z.object({
  success: z.literal(true),
  signature: z.string().describe('Signature of the payment.'),
  /** `received`: it arrived and was not presented. */
  state: z.enum(['in_progress', 'used', 'unused', 'received', 'refunded', 'failed']),
  message: z.string(),
  dialect: z.string(),
  payer: z
    .string()
    .nullable()
    .describe('Wallet that paid. Null if several wallets paid, or while too few nodes show it.'),
  pay_to: z.string(),
  /** Of `amount` and `left_raw`: USDC if it brought any. */
  token: z.string(),
  amount: money.nullable(),
  amount_raw: raw.nullable(),
  /** The price of what it bought. The rest is surplus. */
  price: money.nullable(),
  price_raw: raw.nullable(),
  surplus_raw: raw.nullable(),
  /** The rest of it after its price and its refunds. */
  left_raw: raw.nullable(),
  /** All that the transaction brought, by token. */
  arrived: z.array(
    z.object({
      token: z.string(),
      mint: z.string().nullable(),
      amount: money,
      amount_raw: raw,
      refunded_raw: raw,
      left_raw: raw,
    }),
  ),
  refunds: z.array(
    z.object({
      signature: z.string(),
      token: z.string(),
      amount: money,
      amount_raw: raw,
      recorded_at: z.iso.datetime(),
    }),
  ),
  /** A transaction that may be its refund and is not recorded as anything. Until it is, the payment buys nothing. */
  questioned_by: z.string().nullable(),
  slot: z.number().int().nullable(),
  block_time: z.iso.datetime().nullable(),
  bought: z.string().nullable(),
  refund_signature: z.string().nullable(),
  usable_until: z.iso.datetime().nullable(),
});
export type PaymentBody = z.infer<typeof paymentBody>;

/** Rows as stored, with numbers of any size as text; for operators. */
export const paymentStoryBody = z.object({
  success: z.literal(true),
  /** Null for one that nobody presented. */
  payment: z.record(z.string(), z.unknown()).nullable(),
  /** Changes of our accounts by the transaction. */
  entries: z.array(z.record(z.string(), z.unknown())),
  refunds: z.array(z.record(z.string(), z.unknown())).describe('Its refunds as stored.'),
  quote: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Its quote as stored. Null without one.'),
  mint: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The mint that it bought, as stored. Null if none.'),
  audit: z.array(z.record(z.string(), z.unknown())),
});
export type PaymentStoryBody = z.infer<typeof paymentStoryBody>;

export const refundInput = z
  .strictObject({
    payment_signature: txSignature,
    /** The transaction that refunded it. */
    refund_signature: txSignature.optional().describe('Signature of the refund.'),
    /** Before that: sets it aside so that it buys nothing meanwhile, or releases it. */
    hold: z.boolean().optional(),
  })
  .refine((input) => (input.refund_signature === undefined) !== (input.hold === undefined), {
    error: 'give either refund_signature or hold',
    path: ['refund_signature'],
  });
export type RefundInput = z.infer<typeof refundInput>;

export const withdrawalInput = z.strictObject({
  signature: txSignature.describe(
    'Signature of a final transaction that took money out of PAY_TO.',
  ),
  note: z.string().max(200).optional(),
});
export type WithdrawalInput = z.infer<typeof withdrawalInput>;

export const withdrawalBody = z.object({
  success: z.literal(true),
  signature: z.string().describe('Signature of the withdrawal.'),
  entries: z.array(z.record(z.string(), z.unknown())),
});
export type WithdrawalBody = z.infer<typeof withdrawalBody>;

export const reconciliationBody = z.object({
  success: z.literal(true),
  /** Whether every token is explained to the last unit. */
  agrees: z.boolean(),
  tokens: z.array(
    z.object({
      token: z.string(),
      asset: z.string(),
      came_in: z.string(),
      bought: z.string(),
      refunded: z.string(),
      unused: z.string(),
      withdrawn: z.string(),
      costs: z.string(),
      internal: z.string(),
      unexplained: z.string(),
      unbacked: z.string(),
      balance: z.string(),
      difference: z.string(),
    }),
  ),
  /** Money that left without a record, with the payments that buy nothing until there is one. */
  unexplained: z.array(
    z.object({
      signature: z.string(),
      wallet: z.string(),
      token: z.string(),
      amount: z.string(),
      to: z.array(z.string()),
      block_time: z.iso.datetime(),
      may_refund: z.array(z.string()),
    }),
  ),
  /** Accounts in mints that are not in the table. They are counted and not read. */
  other_mints: z.number().int(),
});
export type ReconciliationBody = z.infer<typeof reconciliationBody>;
