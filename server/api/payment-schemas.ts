import { z } from 'zod';
import { txSignature } from './schemas';

const money = z.number();
const raw = z.string();

export const pricingBody = z.object({
  success: z.literal(true),
  network: z.string(),
  asset: z.literal('USDC'),
  asset_mint: z.string(),
  pay_to: z.string(),
  fee_payer: z.string(),
  /** What a client's spend cap must allow. */
  largest_price: money,
  largest_price_raw: raw,
  /** Whether payments are taken now, and if not, why. */
  open: z.boolean(),
  reason: z.string().nullable(),
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
  signature: z.string(),
  state: z.enum(['in_progress', 'used', 'unused', 'refunded', 'failed']),
  message: z.string(),
  dialect: z.string(),
  payer: z.string().nullable(),
  pay_to: z.string(),
  amount: money.nullable(),
  amount_raw: raw.nullable(),
  /** What it bought cost; the rest is surplus. */
  price: money.nullable(),
  price_raw: raw.nullable(),
  surplus_raw: raw.nullable(),
  slot: z.number().int().nullable(),
  block_time: z.iso.datetime().nullable(),
  bought: z.string().nullable(),
  refund_signature: z.string().nullable(),
  usable_until: z.iso.datetime().nullable(),
});
export type PaymentBody = z.infer<typeof paymentBody>;

/** Rows as they stand, with numbers of any size as text; for operators. */
export const paymentStoryBody = z.object({
  success: z.literal(true),
  payment: z.record(z.string(), z.unknown()),
  quote: z.record(z.string(), z.unknown()).nullable(),
  mint: z.record(z.string(), z.unknown()).nullable(),
  audit: z.array(z.record(z.string(), z.unknown())),
});
export type PaymentStoryBody = z.infer<typeof paymentStoryBody>;

export const refundInput = z
  .strictObject({
    payment_signature: txSignature,
    /** The transaction that gave it back. */
    refund_signature: txSignature.optional(),
    /** Before that: sets it aside so that it buys nothing meanwhile, or lets it go. */
    hold: z.boolean().optional(),
  })
  .refine((input) => (input.refund_signature === undefined) !== (input.hold === undefined), {
    error: 'give either refund_signature or hold',
    path: ['refund_signature'],
  });
export type RefundInput = z.infer<typeof refundInput>;
