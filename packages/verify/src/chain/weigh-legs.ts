import type { Network } from '../network';
import { tokenByMint, type TokenEntry } from '../tokens/token-table';
import type { Leg, LegPrice, Movements } from './movements';
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
  /** Whether `part` is at least the given percentage of `whole`, both sums of valued legs. */
  isAtLeast(part: readonly Leg[], percent: bigint, whole: readonly Leg[]): boolean;
  /** The leg of the highest value; of equal ones the first. */
  largest(legs: readonly Leg[]): Leg | undefined;
  used(): LegPrice[];
};

const AT_PAR: Fraction = { num: 1n, den: 1n };

/**
 * A scale with known prices. Legs of one token weigh their amounts, without any price. With several
 * tokens each needs a price, and {@link PriceNeeded} names a mint without one. Tokens at par need
 * none.
 */
export function createScale(o: {
  network: Network;
  prices: readonly LegPrice[];
  /** The time of the table of valuations; the default is today. */
  tableOf?: Date | undefined;
}): Scale {
  const { network, prices, tableOf } = o;
  const used = new Map<string | null, LegPrice>();
  const known = new Map(prices.map((price) => [assetOf(price.mint), price]));
  const valuationOf = (mint: string | null): TokenEntry['valuation'] =>
    tokenByMint(mint, network, tableOf)?.valuation ?? null;

  const priceOf = (asset: string | null): LegPrice | null => {
    if (valuationOf(asset) === 'par')
      return { mint: asset, usdPerUnit: AT_PAR, basis: 'par', source: null };
    return known.get(asset) ?? null;
  };
  /** The weight of a unit of each token; the same for all where there is only one token. */
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

/** Before any transfer fee: the paid amount counts, not the received one. */
function worth({ amountSent, decimals }: Leg, price: Fraction): Fraction {
  return { num: amountSent * price.num, den: price.den * 10n ** BigInt(decimals) };
}

function add(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.den + b.num * a.den, den: a.den * b.den };
}

/** How far the value from an exchange may be from the value it got, in percent. */
const MOST_PERCENT = 110n;
const LEAST_PERCENT = 90n;

/**
 * Takes exchanges out of the legs. They are program accounts that gave one token and got another in
 * a listed exchange program, with values within 10 % of each other. Tokens that only pass from one
 * to the next cancel out. Without a valuation of both sides it is not a payment, and the text says
 * so.
 */
export function passExchange(
  { legs, exchanged }: Movements,
  scale: Scale,
): { legs: Leg[]; isExchanged: boolean } | string {
  const isPassed = ({ owner }: Leg): boolean => exchanged.includes(owner);
  if (!legs.some(isPassed)) return { legs, isExchanged: false };
  const rest = legs.filter((leg) => !isPassed(leg));
  const givers = new Set(rest.filter(isGiven).map(({ owner }) => owner));
  if (rest.every((leg) => isGiven(leg) || givers.has(leg.owner)))
    return 'one thing was exchanged for another, and nobody else was paid: a swap';
  const net = netOf(legs.filter(isPassed));
  if (net.some((leg) => !scale.isValued(leg)))
    return 'an exchange takes part, and an amount that it gave or received has no valuation';
  const gave = net.filter(isGiven);
  const got = net.filter((leg) => !isGiven(leg));
  const isFair =
    scale.isAtLeast(gave, LEAST_PERCENT, got) && !isMore(scale, gave, MOST_PERCENT, got);
  if (!isFair)
    return 'an exchange takes part, and the values that it gave and received differ too much';
  return { legs: rest, isExchanged: true };
}

function isGiven({ direction }: Leg): boolean {
  return direction === 'given';
}

/**
 * Whether a part is more than the given percentage: it is at least that, and the reverse does not
 * hold.
 */
function isMore(scale: Scale, part: Leg[], percent: bigint, whole: Leg[]): boolean {
  const times = (legs: Leg[], by: bigint) =>
    legs.map((leg) => ({ ...leg, amountSent: leg.amountSent * by }));
  return !scale.isAtLeast(times(whole, percent), 100n, times(part, 100n));
}

/** All of them as one: a token that one gave and another got cancels out. */
function netOf(legs: readonly Leg[]): Leg[] {
  const net = new Map<string | null, { amount: bigint; leg: Leg }>();
  for (const leg of legs) {
    const asset = assetOf(leg.mint);
    const known = net.get(asset)?.amount ?? 0n;
    net.set(asset, { amount: known + (leg.direction === 'got' ? leg.amount : -leg.amount), leg });
  }
  return [...net.values()].flatMap(({ amount, leg }): Leg[] => {
    if (amount === 0n) return [];
    const size = amount < 0n ? -amount : amount;
    const direction = amount < 0n ? 'given' : 'got';
    return [{ ...leg, direction, amount: size, amountSent: size }];
  });
}
