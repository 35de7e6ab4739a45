import type { LegPrice } from '@quittance/verify/chain/movements';
import { fractionOf } from '@quittance/verify/rates/fraction';
import type { RatesContext } from './rates-context';

/** A price as it is kept: an exact decimal, so that everyone who reads it weighs alike. */
export type FrozenPrice = {
  mint: string | null;
  usdPerUnit: string;
  basis: string;
  source: string;
};

type Store = Pick<RatesContext, 'db' | 'env'>;

/** The prices that transactions were first read with, by signature. */
export async function loadPrices(
  { db, env }: Store,
  signatures: readonly string[],
): Promise<Map<string, LegPrice[]>> {
  const prices = new Map<string, LegPrice[]>();
  if (signatures.length === 0) return prices;
  const rows = await db.transactionPrice.findMany({
    where: { network: env.network, signature: { in: [...signatures] } },
    orderBy: { mint: 'asc' },
  });
  for (const { signature, mint, usdPerUnit, basis, source } of rows) {
    const known = prices.get(signature) ?? [];
    known.push(toLegPrice({ mint: mint === '' ? null : mint, usdPerUnit, basis, source }));
    prices.set(signature, known);
  }
  return prices;
}

/** Keeps prices with a transaction; those that were kept first stay. */
export async function freezePrices(
  { db, env }: Store,
  rows: readonly { signature: string; price: FrozenPrice }[],
): Promise<void> {
  await db.transactionPrice.createMany({
    data: rows.map(({ signature, price }) => ({
      network: env.network,
      signature,
      mint: price.mint ?? '',
      usdPerUnit: price.usdPerUnit,
      basis: price.basis,
      source: price.source,
    })),
    skipDuplicates: true,
  });
}

function toLegPrice({ mint, usdPerUnit, basis, source }: FrozenPrice): LegPrice {
  const price = fractionOf(usdPerUnit);
  if (!price || (basis !== 'fx' && basis !== 'market'))
    throw new Error(`the price ${usdPerUnit} of ${mint ?? 'SOL'} is none`);
  return { mint, usdPerUnit: price, basis, source };
}
