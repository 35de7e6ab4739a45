import { z } from 'zod';

const base = z.string().describe('Base units of the token, exact.');

/** An amount in a token that is named beside it. */
const tokenAmount = {
  token: z.string().describe('Symbol of the token table, else the mint.'),
  mint: z.string().nullable().describe('Null for SOL.'),
  decimals: z.number().int(),
  amount: z.number(),
  amount_raw: base,
};

/** Another leg of the transaction: what somebody got beside the transfer. */
export const leg = z.object({ owner: z.string(), ...tokenAmount });

/** A thing that the payer got and that has no valuation. */
export const goods = z.object(tokenAmount);

/** What is no leg. */
export const leftOut = z.object({
  reason: z
    .string()
    .describe(
      'network_fee, priority_fee, rent_opened, rent_returned, rent_grown, rent_handed_over, account_funding, tip, self_transfer, minted or burned.',
    ),
  from: z.string().nullable().describe('Owner that lost the amount; null for nobody.'),
  to: z.string().nullable().describe('Owner that gained the amount; null for nobody.'),
  account: z.string().nullable().describe('Account whose rent it is, or that was minted to.'),
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
export const otherLegs = z
  .array(leg)
  .describe('Every leg beside the transfer: what others got, and other tokens of the seller.');

/** What stands beside the transfer in its transaction. */
export const beside = {
  payer_kind: kind,
  seller_kind: kind,
  goods: z.array(goods).describe('Tokens without a valuation that the payer got for the payment.'),
  change: z.array(leg).describe('What an exchange gave back to the payer.'),
  paid_with: z.array(leg).describe('What the payer gave to an exchange; empty without one.'),
  left_out: z
    .array(leftOut)
    .describe(
      'Fees, rent, tips and the like. With the legs they equal the change of each balance.',
    ),
  prices: z.array(legPrice).describe('Prices that decided which leg is the transfer.'),
};
