import { isExchange } from './exchange-programs';
import type { Flow } from './flow';
import type { Leg } from './movements';
import { assetOf } from './programs';

/**
 * Program accounts that gave one token and got another, all of it called for by a listed exchange program.
 * Only the program that an account belongs to can let it give, so that nobody's own program passes for an
 * exchange; where the node did not say who called whom, every program that may have must be listed.
 */
export function findExchanged(legs: readonly Leg[], flows: readonly Flow[]): string[] {
  const owners = new Set(legs.filter(({ kind }) => kind === 'program').map(({ owner }) => owner));
  return [...owners].filter((owner) => {
    const own = legs.filter((leg) => leg.owner === owner);
    const isTrade =
      own.some(({ direction }) => direction === 'given') &&
      own.some(({ direction }) => direction === 'got');
    const assets = new Set(own.map(({ mint }) => assetOf(mint)));
    const moved = flows.filter(
      ({ asset, from, to }) => assets.has(asset) && (from === owner || to === owner),
    );
    return isTrade && own.every(({ isShown }) => isShown) && moved.every(isCalledByExchange);
  });
}

function isCalledByExchange({ callers }: Flow): boolean {
  return callers.length > 0 && callers.every(isExchange);
}
