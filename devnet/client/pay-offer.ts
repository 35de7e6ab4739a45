import { z } from 'zod';
import { payToken } from './pay-token';
import type { Wallet } from './wallet';

/** The documented dialect's part of a 402. */
export type Offer = { message: string; payTo: string; amount: bigint; memo: string };

const body = z.object({
  message: z.string(),
  paymentRequirements: z.object({
    accepts: z.tuple([
      z.object({
        payTo: z.string(),
        maxAmount: z.string().transform(BigInt),
        extra: z.object({ memo: z.string() }),
      }),
    ]),
  }),
});

/** Reads the body of a 402. Throws ZodError for another body. */
export function readOffer(answer: unknown): Offer {
  const { message, paymentRequirements } = body.parse(answer);
  const [{ payTo, maxAmount, extra }] = paymentRequirements.accepts;
  return { message, payTo, amount: maxAmount, memo: extra.memo };
}

/** Pays an offer as any wallet can, and returns the signature, confirmed. */
export function payOffer(
  rpcUrl: string,
  from: Wallet,
  { payTo: to, amount, memo }: Offer,
): Promise<string> {
  return payToken(rpcUrl, { from, to, token: 'USDC', amount, memo });
}
