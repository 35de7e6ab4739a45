import { z } from 'zod';
import { LEFT_OUT_REASONS, type Leg, type LegPrice, type LeftOut } from '../chain/movements';
import type { Goods, Transfer } from '../chain/transfer';
import { toDecimalText, fractionOf } from '../money';

/** Another leg of the transaction. Older receipts name owner and amount alone: it is in their own token. */
export type ReceiptLeg = {
  owner: string;
  amount: bigint;
  /** Null for SOL; left out when it is the token of the receipt. */
  mint?: string | null | undefined;
  decimals?: number | undefined;
  /** Before a Token-2022 transfer fee; left out where none was withheld. */
  amountSent?: bigint | undefined;
};

/** A leg that always names its token. */
type TokenLeg = { owner: string; mint: string | null; decimals: number; amount: bigint };

/**
 * The other movements in the transaction of the transfer. Receipts of the first template do not
 * have them.
 */
export type ReceiptBeside = {
  payerKind: 'wallet' | 'program';
  sellerKind: 'wallet' | 'program';
  leftOut: LeftOut[];
  goods: Goods[];
  change: TokenLeg[];
  paidWith: TokenLeg[];
  /** Prices that chose the transfer among legs of several tokens. */
  prices: LegPrice[];
};

const units = z
  .string()
  .regex(/^\d{1,39}$/)
  .transform(BigInt);
const token = { mint: z.string().nullable(), decimals: z.number().int(), amount: units };
const leg = z.object({ owner: z.string(), ...token });
const kind = z.enum(['wallet', 'program']);

/** `other_legs` as stored; a mint that is missing is that of the receipt. */
export const storedLegs = z.array(
  z.object({
    owner: z.string(),
    amount: units,
    mint: z.string().nullable().optional(),
    decimals: z.number().int().optional(),
    amountSent: units.optional(),
  }),
);

/** `beside` as stored. */
export const storedBeside = z.object({
  payer_kind: kind,
  seller_kind: kind,
  left_out: z.array(
    z.object({
      reason: z.enum(LEFT_OUT_REASONS),
      from: z.string().nullable(),
      to: z.string().nullable(),
      account: z.string().nullable(),
      ...token,
    }),
  ),
  goods: z.array(z.object({ ...token, mint: z.string() })),
  change: z.array(leg),
  paid_with: z.array(leg),
  prices: z.array(
    z.object({
      mint: z.string().nullable(),
      usd_per_unit: z.string(),
      basis: z.enum(['par', 'fx', 'market']),
      source: z.string().nullable(),
    }),
  ),
});

/** The other movements of a transfer that was just read. */
export function besideOf(transfer: Transfer): ReceiptBeside {
  const { leftOut, goods, prices } = transfer;
  const kindOf = (one: Transfer['payerKind']) => (one === 'program' ? 'program' : 'wallet');
  const tokenLegs = (legs: Transfer['change']): TokenLeg[] =>
    legs.map(({ owner, mint, decimals, amount }) => ({ owner, mint, decimals, amount }));
  return {
    payerKind: kindOf(transfer.payerKind),
    sellerKind: kindOf(transfer.sellerKind),
    leftOut,
    goods,
    change: tokenLegs(transfer.change),
    paidWith: tokenLegs(transfer.paidWith),
    prices,
  };
}

/** The other legs of a transfer, with their token where it is not that of the receipt. */
export function legsOf({ otherLegs, mint }: Transfer): ReceiptLeg[] {
  return otherLegs.map((one) =>
    one.mint === mint
      ? { owner: one.owner, amount: one.amount, ...sentOf(one) }
      : {
          owner: one.owner,
          amount: one.amount,
          mint: one.mint,
          decimals: one.decimals,
          ...sentOf(one),
        },
  );
}

function sentOf({ amount, amountSent }: Leg): Pick<ReceiptLeg, 'amountSent'> {
  return amountSent === amount ? {} : { amountSent };
}

export function legsToStored(legs: readonly ReceiptLeg[]): z.input<typeof storedLegs> {
  return legs.map(({ amountSent, ...one }) => ({
    ...one,
    amount: one.amount.toString(),
    ...(amountSent !== undefined && { amountSent: amountSent.toString() }),
  }));
}

export function besideToStored(beside: ReceiptBeside): z.input<typeof storedBeside> {
  const plain = <T extends { amount: bigint }>(list: readonly T[]) =>
    list.map((one) => ({ ...one, amount: one.amount.toString() }));
  return {
    payer_kind: beside.payerKind,
    seller_kind: beside.sellerKind,
    left_out: plain(beside.leftOut),
    goods: plain(beside.goods),
    change: plain(beside.change),
    paid_with: plain(beside.paidWith),
    prices: beside.prices.map(({ mint, usdPerUnit, basis, source }) => ({
      mint,
      usd_per_unit: toDecimalText(usdPerUnit),
      basis,
      source,
    })),
  };
}

/** Null for a receipt of the first template. */
export function besideFromStored(stored: unknown): ReceiptBeside | null {
  if (stored === null || stored === undefined) return null;
  const read = storedBeside.parse(stored);
  return {
    payerKind: read.payer_kind,
    sellerKind: read.seller_kind,
    leftOut: read.left_out,
    goods: read.goods,
    change: read.change,
    paidWith: read.paid_with,
    prices: read.prices.map(({ mint, usd_per_unit, basis, source }) => {
      const usdPerUnit = fractionOf(usd_per_unit);
      if (!usdPerUnit) throw new Error(`${usd_per_unit} is not a price`);
      return { mint, usdPerUnit, basis, source };
    }),
  };
}
