import { z } from 'zod';
import { LEFT_OUT_REASONS, type Movements } from '@quittance/verify/chain/movements';

const units = z
  .string()
  .regex(/^\d{1,39}$/)
  .transform(BigInt);

const leg = z.object({
  owner: z.string(),
  kind: z.enum(['wallet', 'program', 'unknown']),
  direction: z.enum(['given', 'got']),
  mint: z.string().nullable(),
  tokenProgram: z.string().nullable(),
  decimals: z.number().int(),
  amount: units,
  amountSent: units,
  isShown: z.boolean(),
  isNft: z.boolean(),
  references: z.array(z.string()),
});

const leftOut = z.object({
  reason: z.enum(LEFT_OUT_REASONS),
  from: z.string().nullable(),
  to: z.string().nullable(),
  account: z.string().nullable(),
  mint: z.string().nullable(),
  decimals: z.number().int(),
  amount: units,
});

/** As {@link Movements}, with what JSON has no type for as text. */
export const storedMovements = z.object({
  signature: z.string(),
  slot: units,
  blockIndex: z.number().int().nonnegative().optional(),
  blockTime: z.iso.datetime().transform((text) => new Date(text)),
  feePayer: z.string(),
  legs: z.array(leg),
  leftOut: z.array(leftOut),
  exchanged: z.array(z.string()),
  memos: z.array(z.string()),
  hasHiddenAssets: z.boolean(),
  hasInner: z.boolean(),
}) satisfies z.ZodType<Movements>;

export function movementsToStored(movements: Movements): z.input<typeof storedMovements> {
  return {
    ...movements,
    slot: movements.slot.toString(),
    blockTime: movements.blockTime.toISOString(),
    legs: movements.legs.map((one) => ({
      ...one,
      amount: one.amount.toString(),
      amountSent: one.amountSent.toString(),
    })),
    leftOut: movements.leftOut.map((one) => ({ ...one, amount: one.amount.toString() })),
  };
}
