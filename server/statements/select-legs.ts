import type { ScannedTransaction } from '@/server/chain/scan-transactions';
import { priceScanned } from '@/server/rates/read-priced';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { tallyChanges, type BalanceChanges } from './balance-changes';
import type { ListedValue, Skipped } from './frozen-list';
import { statedLegs, type StatedLeg } from '@quittance/verify/statements/stated-legs';
import type { StatementContext } from './statement-context';
import { valueLegs, type Valued } from './value-legs';

/** What a statement lists of some transactions, what it does not, and what that did to the wallet. */
export type Selected = {
  rows: ListedValue[];
  skipped: Skipped;
  changes: BalanceChanges;
  /** Legs that cannot be valued, in their order. */
  unvalued: Extract<Valued, { code: unknown }>[];
};

/**
 * Every leg of a wallet in transactions that are in the order of the chain: those that can be valued and
 * are worth at least `minMicros` as rows, everything else by its reason. Throws `rates_unavailable`.
 */
export async function selectLegs(
  ctx: StatementContext,
  o: { wallet: string; transactions: readonly ScannedTransaction[]; minMicros: bigint },
): Promise<Selected> {
  const { wallet, minMicros } = o;
  const { network } = ctx.env;
  const tally = tallyChanges(
    wallet,
    (mint) => (tokenByMint(mint, network)?.valuation ?? null) !== null,
  );
  const skips = openSkips();
  const legs: StatedLeg[] = [];
  for (const one of await priceScanned(ctx, o.transactions)) {
    const { movements } = one.reading;
    const stated = one.isFinal ? statedLegs(one, wallet) : { code: 'not_final' };
    if ('code' in stated) {
      skips.add(stated.code, one.signature);
      tally.skipAll(stated.code, movements);
      continue;
    }
    legs.push(...stated.legs);
    if (movements)
      tally.state(
        movements,
        stated.legs.map(({ leg }) => leg),
      );
  }
  const rows: ListedValue[] = [];
  const unvalued: Selected['unvalued'] = [];
  for (const [at, value] of (await valueLegs(ctx, legs)).entries()) {
    const leg = legs[at]?.leg;
    if (!leg) throw new RangeError('every value is of a leg');
    const isRow = !('code' in value) && value.usdMicros >= minMicros;
    if (isRow) {
      rows.push(value);
      continue;
    }
    if ('code' in value) unvalued.push(value);
    const reason = 'code' in value ? value.code : 'below_min_usd';
    skips.add(reason, value.signature);
    tally.skipLeg(reason, leg);
  }
  return { rows, unvalued, skipped: skips.done(), changes: tally.changes() };
}

function openSkips() {
  const skipped = new Map<string, Set<string>>();
  return {
    add(reason: string, signature: string): void {
      const known = skipped.get(reason) ?? new Set<string>();
      skipped.set(reason, known.add(signature));
    },
    done: (): Skipped =>
      Object.fromEntries(
        [...skipped]
          .map(([reason, signatures]): [string, string[]] => [reason, [...signatures]])
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
  };
}
