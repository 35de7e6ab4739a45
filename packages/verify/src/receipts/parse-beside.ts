import type { LegPrice } from '../chain/movements';
import { fractionOf } from '../money';
import { type BesideLines, NATIVE_SOL_TOKEN } from './describe-beside';
import { numberedTrait, TRAITS } from './describe-traits';

type Read = (trait: string) => string | null;

/** The lines of the chain's side; none in the first template. */
export function readBesideLines(text: Read): BesideLines {
  const lines: [string, string][] = [];
  const take = (trait: string): boolean => {
    const value = text(trait);
    if (value !== null) lines.push([trait, value]);
    return value !== null;
  };
  take(TRAITS.payerKind);
  take(TRAITS.sellerKind);
  for (const trait of [TRAITS.goods, TRAITS.paidWith, TRAITS.change, TRAITS.leftOut]) {
    if (!take(trait)) continue;
    for (let place = 1; take(numberedTrait(trait, place)); place += 1);
  }
  return lines;
}

/** By which template the metadata was written; null for one that this checker does not know. */
export function readTemplate(text: Read): 1 | 2 | 3 | 4 | null {
  const template = text(TRAITS.template);
  if (template === null) return 1;
  if (template === '2') return 2;
  if (template === '3') return 3;
  return template === '4' ? 4 : null;
}

/** The prices by which the issuer chose the transfer, which are counted before; null when one cannot be read. */
export function readPrices(text: Read): LegPrice[] | null {
  const prices: LegPrice[] = [];
  for (;;) {
    const value = text(numberedTrait(TRAITS.prices, prices.length + 1));
    if (value === null) return prices;
    const [mint = '', price = '', basis, ...source] = value.split(' ');
    const usdPerUnit = fractionOf(price);
    if (!usdPerUnit || (basis !== 'par' && basis !== 'fx' && basis !== 'market')) return null;
    prices.push({
      mint: mint === NATIVE_SOL_TOKEN ? null : mint,
      usdPerUnit,
      basis,
      source: source.length === 0 ? null : source.join(' '),
    });
  }
}
