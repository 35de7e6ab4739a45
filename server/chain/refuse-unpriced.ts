import type { Network } from '@/server/env';
import { judgeMovements } from '@quittance/verify/chain/judge-movements';
import type { LegPrice } from '@quittance/verify/chain/movements';
import { refuse, type Refusal, type UnpricedReading } from '@quittance/verify/chain/transfer';
import { areLegsStated } from '@quittance/verify/chain/wallet-legs';

/** Prices that no token comes near: whichever leg can be the largest is so at one of them. */
const EXTREMES = [
  { num: 1n, den: 10n ** 30n },
  { num: 10n ** 30n, den: 1n },
] as const;

/**
 * The refusal of a transaction whose transfer depends on a price that was never published. There is no
 * receipt, as nobody can say which leg is the payment. Where it is a payment at any price, its legs are
 * known all the same, and statements list those that have a value.
 */
export function refuseUnpriced(
  reading: UnpricedReading,
  o: { network: Network; prices: readonly LegPrice[]; reason: string },
): Refusal {
  const { movements, needs } = reading;
  const refusal = refuse(
    'rate_not_covered',
    `it pays in several tokens, and which of them is the payment depends on a price that was never published. ${o.reason}`,
    movements,
  );
  const isPaymentAnyway = combinations(needs).every((guess) =>
    areLegsStated(
      judgeMovements(movements, { network: o.network, prices: [...o.prices, ...guess] }),
    ),
  );
  return isPaymentAnyway ? { ...refusal, areLegsSure: true } : refusal;
}

/** Every choice of an extreme price for each mint. */
function combinations(mints: readonly (string | null)[]): LegPrice[][] {
  return mints.reduce<LegPrice[][]>(
    (lists, mint) =>
      lists.flatMap((list) =>
        EXTREMES.map((usdPerUnit) => [
          ...list,
          { mint, usdPerUnit, basis: 'market', source: null } as const,
        ]),
      ),
    [[]],
  );
}
