import type { Leg, Movements } from './movements';
import { assetOf } from './programs';
import type { Scale } from './weigh-legs';

/** How far what an exchange gave may be from what it got, in percent. */
const MOST_PERCENT = 110n;
const LEAST_PERCENT = 90n;

/**
 * Takes exchanges out of the legs: program accounts that gave one token and got another in a listed exchange
 * program, when what all of them gave is worth within 10 % of what they got. Tokens that only pass from one
 * to the next cancel out. Without a valuation of both sides it is no payment, which the text says.
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
    return 'an exchange takes part, and what it gave or got has no valuation';
  const gave = net.filter(isGiven);
  const got = net.filter((leg) => !isGiven(leg));
  const isFair =
    scale.isAtLeast(gave, LEAST_PERCENT, got) && !isMore(scale, gave, MOST_PERCENT, got);
  if (!isFair) return 'an exchange takes part, and what it gave is not worth what it got';
  return { legs: rest, isExchanged: true };
}

function isGiven({ direction }: Leg): boolean {
  return direction === 'given';
}

/** Whether a part is more than so many percent: as many percent of it are at least, and not the reverse. */
function isMore(scale: Scale, part: Leg[], percent: bigint, whole: Leg[]): boolean {
  const times = (legs: Leg[], by: bigint) =>
    legs.map((leg) => ({ ...leg, amountSent: leg.amountSent * by }));
  return !scale.isAtLeast(times(whole, percent), 100n, times(part, 100n));
}

/** All of them as one: what one gave and another got of the same token is nothing. */
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
