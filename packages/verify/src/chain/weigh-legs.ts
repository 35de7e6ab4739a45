import type { Network } from '../network';
import { tokenByMint, type TokenEntry } from '../tokens/token-table';
import type { Leg, LegPrice } from './movements';
import { assetOf } from './programs';

type Fraction = LegPrice['usdPerUnit'];

/** Thrown where a weighing needs prices that are not at hand; caught by the judge alone. */
export class PriceNeeded extends Error {
  readonly needs: (string | null)[];
  constructor(needs: (string | null)[]) {
    super('a price is needed');
    this.name = 'PriceNeeded';
    this.needs = needs;
  }
}

/** Weighs legs against each other in US dollars. Remembers which prices it used. */
export type Scale = {
  isValued(leg: Pick<Leg, 'mint'>): boolean;
  /** Whether `part` is at least so many percent of `whole`, both sums of valued legs. */
  isAtLeast(part: readonly Leg[], percent: bigint, whole: readonly Leg[]): boolean;
  /** The leg of the highest value; of equal ones the first. */
  largest(legs: readonly Leg[]): Leg | undefined;
  used(): LegPrice[];
};

const AT_PAR: Fraction = { num: 1n, den: 1n };

/**
 * A scale with prices that are known. Legs of one token weigh what they are, without any price; of several
 * tokens each needs one, and a mint without is named by {@link PriceNeeded}. Tokens at par need none.
 */
export function createScale(network: Network, prices: readonly LegPrice[]): Scale {
  const used = new Map<string | null, LegPrice>();
  const known = new Map(prices.map((price) => [assetOf(price.mint), price]));
  const valuationOf = (mint: string | null): TokenEntry['valuation'] =>
    tokenByMint(mint, network)?.valuation ?? null;

  const priceOf = (asset: string | null): LegPrice | null => {
    if (valuationOf(asset) === 'par')
      return { mint: asset, usdPerUnit: AT_PAR, basis: 'par', source: null };
    return known.get(asset) ?? null;
  };
  /** What a unit of each token weighs; one and the same where there is only one token. */
  const weightsOf = (legs: readonly Leg[]): Map<string | null, Fraction> => {
    const assets = [...new Set(legs.map(({ mint }) => assetOf(mint)))];
    if (assets.length <= 1) return new Map(assets.map((asset) => [asset, AT_PAR]));
    const needs = assets.filter((asset) => priceOf(asset) === null);
    if (needs.length > 0) throw new PriceNeeded(needs);
    return new Map(
      assets.map((asset) => {
        const price = priceOf(asset);
        if (!price) throw new PriceNeeded([asset]);
        used.set(asset, price);
        return [asset, price.usdPerUnit];
      }),
    );
  };
  const sum = (legs: readonly Leg[], weights: ReadonlyMap<string | null, Fraction>): Fraction =>
    legs
      .map((leg) => worth(leg, weights.get(assetOf(leg.mint)) ?? AT_PAR))
      .reduce(add, { num: 0n, den: 1n });

  return {
    isValued: ({ mint }) => valuationOf(mint) !== null,
    isAtLeast: (part, percent, whole) => {
      const weights = weightsOf([...part, ...whole]);
      const [a, b] = [sum(part, weights), sum(whole, weights)];
      return a.num * b.den * 100n >= b.num * a.den * percent;
    },
    largest: (legs) => {
      const weights = weightsOf(legs);
      return legs.reduce<Leg | undefined>((most, leg) => {
        if (!most) return leg;
        const [a, b] = [sum([leg], weights), sum([most], weights)];
        return a.num * b.den > b.num * a.den ? leg : most;
      }, undefined);
    },
    used: () => [...used.values()],
  };
}

/** Before any transfer fee: what was paid is weighed, not what arrived. */
function worth({ amountSent, decimals }: Leg, price: Fraction): Fraction {
  return { num: amountSent * price.num, den: price.den * 10n ** BigInt(decimals) };
}

function add(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.den + b.num * a.den, den: a.den * b.den };
}
