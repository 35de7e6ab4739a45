import { z } from 'zod';
import type { Leg, Movements } from '@quittance/verify/chain/movements';
import { WRAPPED_SOL } from '@quittance/verify/chain/programs';
import type { WalletLeg } from '@quittance/verify/chain/transfer';

/**
 * The change of the balance of a wallet in one token, in base units: above zero for money that came
 * in.
 */
export type BalanceChange = {
  /** Null for SOL, native and wrapped. */
  mint: string | null;
  decimals: number;
  raw: bigint;
};

/**
 * The balance changes of a wallet that no row of a statement shows, by reason, for tokens that have
 * a valuation. Together with the rows they equal the change of each balance over the listed
 * transactions.
 */
export type BalanceChanges = {
  /** Of transactions and legs that are skipped, by the same reasons as their signatures. */
  skipped: ChangesByReason;
  /** From fees, rent and the like of any of the transactions, and from trades with an exchange. */
  leftOut: ChangesByReason;
};
export type ChangesByReason = Record<string, BalanceChange[]>;

const change = z.object({
  mint: z.string().nullable(),
  decimals: z.number().int(),
  raw: z.string().regex(/^-?\d{1,30}$/),
});
const byReason = z.record(z.string(), z.array(change));
/** As it is stored; JSON. */
export const storedChanges = z.object({ skipped: byReason, left_out: byReason });
export type StoredChanges = z.infer<typeof storedChanges>;

export function packChanges({ skipped, leftOut }: BalanceChanges): StoredChanges {
  const pack = (changes: ChangesByReason) => mapReasons(changes, toStored);
  return { skipped: pack(skipped), left_out: pack(leftOut) };
}

export function unpackChanges({ skipped, left_out: leftOut }: StoredChanges): BalanceChanges {
  const unpack = (changes: z.infer<typeof byReason>) =>
    mapReasons(changes, ({ raw, ...rest }) => ({ ...rest, raw: BigInt(raw) }));
  return { skipped: unpack(skipped), leftOut: unpack(leftOut) };
}

/** Adds up what is no row, transaction by transaction. `isCounted` says which tokens matter. */
export function tallyChanges(wallet: string, isCounted: (mint: string | null) => boolean) {
  const skipped = openSums(isCounted);
  const leftOut = openSums(isCounted);
  return {
    /** Everything that a transaction without rows did to the wallet. Fees and rent have their own names. */
    skipAll(reason: string, movements: Movements | null): void {
      if (!movements) return;
      for (const leg of ownLegs(movements, wallet)) skipped.add(reason, leg, signed(leg));
      addLeftOut(leftOut, movements, wallet);
    },

    /** The further changes by a transaction with rows: fees, rent, and trades with an exchange. */
    state(movements: Movements, legs: readonly WalletLeg[]): void {
      addLeftOut(leftOut, movements, wallet);
      for (const leg of ownLegs(movements, wallet)) leftOut.add(EXCHANGED, leg, signed(leg));
      for (const leg of legs) leftOut.add(EXCHANGED, leg, -effectOf(leg));
    },

    /** A leg of a stated transaction that is no row. */
    skipLeg: (reason: string, leg: WalletLeg): void => skipped.add(reason, leg, effectOf(leg)),

    changes: (): BalanceChanges => ({ skipped: skipped.done(), leftOut: leftOut.done() }),
  };
}

/** A payer through an exchange gives another token than the seller gets: its row is in that of the seller. */
const EXCHANGED = 'exchanged';

/** The effect of a row on the balance of its wallet. */
function effectOf({ role, amount, amountSent }: WalletLeg): bigint {
  return role === 'payer' ? -amountSent : amount;
}

type Of = { mint: string | null; decimals: number };

function openSums(isCounted: (mint: string | null) => boolean) {
  const sums = new Map<string, Map<string | null, BalanceChange>>();
  return {
    add(reason: string, of: Of, raw: bigint): void {
      const mint = of.mint === WRAPPED_SOL ? null : of.mint;
      if (raw === 0n || !isCounted(mint)) return;
      const ofReason = sums.get(reason) ?? new Map<string | null, BalanceChange>();
      sums.set(reason, ofReason);
      const before = ofReason.get(mint)?.raw ?? 0n;
      ofReason.set(mint, { mint, decimals: of.decimals, raw: before + raw });
    },
    done: (): ChangesByReason =>
      Object.fromEntries(
        [...sums]
          .map(([reason, ofReason]): [string, BalanceChange[]] => [
            reason,
            [...ofReason.values()]
              .filter(({ raw }) => raw !== 0n)
              .sort((a, b) => ((a.mint ?? '') < (b.mint ?? '') ? -1 : 1)),
          ])
          .filter(([, changes]) => changes.length > 0)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
  };
}

function addLeftOut(sums: ReturnType<typeof openSums>, movements: Movements, wallet: string): void {
  for (const one of movements.leftOut) {
    if (one.from === wallet) sums.add(one.reason, one, -one.amount);
    if (one.to === wallet) sums.add(one.reason, one, one.amount);
  }
}

const ownLegs = ({ legs }: Movements, wallet: string): Leg[] =>
  legs.filter(({ owner }) => owner === wallet);

const signed = ({ direction, amount }: Leg): bigint => (direction === 'given' ? -amount : amount);

function toStored({ raw, ...rest }: BalanceChange): z.infer<typeof change> {
  return { ...rest, raw: raw.toString() };
}

function mapReasons<A, B>(
  changes: Record<string, readonly A[]>,
  map: (one: A) => B,
): Record<string, B[]> {
  return Object.fromEntries(
    Object.entries(changes).map(([reason, list]) => [reason, list.map((one) => map(one))]),
  );
}
