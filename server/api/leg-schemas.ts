import { z } from 'zod';

/** An amount in a token that is named beside it. `token` is the table's symbol, else the mint. */
const tokenAmount = {
  token: z.string(),
  /** Null for SOL. */
  mint: z.string().nullable(),
  decimals: z.number().int(),
  amount: z.number(),
  amount_raw: z.string(),
};

/** Another leg of the transaction: what somebody got beside the transfer. */
export const leg = z.object({ owner: z.string(), ...tokenAmount });

/** A thing that the payer got and that has no valuation. */
export const goods = z.object(tokenAmount);

/** What is no leg; `from` loses the amount and `to` gains it, null stands for nobody. */
export const leftOut = z.object({
  reason: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  account: z.string().nullable(),
  ...tokenAmount,
});

/** A price that decided which leg is the transfer. */
const legPrice = z.object({
  token: z.string(),
  mint: z.string().nullable(),
  usd: z.string(),
  basis: z.string(),
  source: z.string().nullable(),
});

/** What stands beside the transfer in its transaction. */
export const beside = {
  /** `program`: a vault, multisig, escrow or stream, which cannot sign. */
  payer_kind: z.enum(['wallet', 'program']),
  seller_kind: z.enum(['wallet', 'program']),
  goods: z.array(goods),
  change: z.array(leg),
  paid_with: z.array(leg),
  left_out: z.array(leftOut),
  prices: z.array(legPrice),
};
