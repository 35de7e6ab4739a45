import { z } from 'zod';
import { codes, codesOf } from '../operations/operation';

const requestId = z.string().describe('Names the request, for the operator.');
const docs = z.url().describe('The entry of `code` on /docs, with its cause and its fix.');

/** Every refusal but a 402, which is an offer, and a 429, which is a sentence. */
export const errorBody = z.object({
  success: z.literal(false),
  error: z.string(),
  status_code: z.number().int(),
  code: z.enum(codes()),
  request_id: requestId,
  docs,
  details: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Data of the refusal. For `invalid_request`: each refused field with a sentence, and in `reasons` a code with its data for refused labels.',
    ),
});

export const limitedBody = z.object({ error: z.string() });

/**
 * Fields that standard clients read to pay automatically; the hash is of the last block before the
 * offer.
 */
const extra = z.object({
  feePayer: z.string(),
  memo: z.string().optional().describe('Id of the quote. Absent if none was opened.'),
  paymentFlow: z.literal('upfront'),
  decimals: z.number().int(),
  tokenProgram: z.string(),
  recentBlockhash: z.string().optional(),
  lastValidBlockHeight: z.string().optional(),
});

const accepts = z
  .array(
    z.object({
      scheme: z.literal('exact'),
      payTo: z.string(),
      maxTimeoutSeconds: z.number().int(),
      network: z.string(),
      maxAmountRequired: z.string(),
      asset: z.string(),
      resource: z.url(),
      description: z.string(),
      mimeType: z.string(),
      extra,
    }),
  )
  .describe('For x402 version 1. Empty while the service settles no payment of standard clients.');

/** One offer for three kinds of client; that of x402 version 2 is in the header PAYMENT-REQUIRED. */
export const offerBody = z.object({
  error: z.literal('Payment Required').describe('The same for every 402.'),
  message: z.string().describe('The fee and how to pay it, in words.'),
  code: z.enum(codesOf(402)),
  request_id: requestId,
  docs,
  reason: z.string().optional().describe('Reason why the payment was not accepted.'),
  free_tier: z.string().optional(),
  transaction_amount: z.number().optional(),
  tx_count: z.number().int().optional(),
  row_count: z.number().int().optional(),
  pricing_tier: z.string().optional(),
  complete: z.boolean().optional(),
  skipped_counts: z.record(z.string(), z.number().int()).optional(),
  quote: z.object({
    id: z.string(),
    price: z.string(),
    asset: z.literal('USDC'),
    asset_mint: z.string(),
    open_until: z.iso.datetime(),
    memo_programs: z.array(z.string()),
  }),
  paymentRequirements: z.object({
    x402Version: z.literal(1),
    accepts: z.array(
      z.object({
        scheme: z.literal('exact'),
        network: z.string(),
        asset: z.literal('USDC'),
        payTo: z.string(),
        maxAmount: z.string().describe('Price in millionths of a USDC.'),
        extra: z.object({ memo: z.string().describe('Exact text of the memo of the payment.') }),
      }),
    ),
  }),
  x402Version: z.literal(1),
  accepts,
});

/** The answer to an empty request without a payment: what a route costs, and no quote. */
export const priceRangeBody = z.object({
  error: z.literal('Payment Required').describe('The same for every 402.'),
  message: z.string().describe('The fee and how to pay it, in words.'),
  code: z.literal('payment_required'),
  request_id: requestId,
  docs,
  free_tier: z.string().optional(),
  transaction_amount: z.literal(0).optional(),
  tx_count: z.literal(0).optional(),
  price_range: z.object({
    least: z.number(),
    least_raw: z.string(),
    most: z.number(),
    most_raw: z.string(),
    asset: z.literal('USDC'),
    asset_mint: z.string(),
    rule: z.string(),
  }),
  x402Version: z.literal(1),
  accepts,
});

/** The offer of x402 version 2, as the PAYMENT-REQUIRED header of a 402 holds it: JSON in base64. */
export const offerHeader = z.object({
  x402Version: z.literal(2),
  error: z.literal('Payment Required').describe('The same for every 402.'),
  resource: z
    .object({
      url: z.url().describe('Address that is paid for.'),
      description: z.string(),
      mimeType: z.string(),
    })
    .describe('The route that is paid for.'),
  accepts: z
    .array(
      z.object({
        scheme: z.literal('exact'),
        payTo: z.string(),
        maxTimeoutSeconds: z.number().int(),
        network: z.string(),
        amount: z.string().describe('Price in millionths of a USDC.'),
        asset: z.string(),
        extra,
      }),
    )
    .describe('The ways to pay: one.'),
});
