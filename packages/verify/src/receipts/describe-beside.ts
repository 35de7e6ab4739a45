import type { LegPrice } from '../chain/movements';
import { toDecimal, toDecimalText } from '../money';
import { numberedTrait, TRAITS } from './describe-traits';
import type { ReceiptBeside, ReceiptLeg } from './receipt-beside';

/**
 * The lines of a template about other movements, spelled as trait and value, in the order of the
 * metadata.
 */
export type BesideLines = readonly (readonly [trait: string, value: string])[];

type Entry = readonly [trait: string, value: string | null];
type Token = { mint: string | null; decimals: number; amount: bigint };

/** Items of one kind that are named one by one; the count covers the rest. */
const LISTED = 16;
export const LISTED_PRICES = LISTED;

/** The other facts on chain: kinds of the parties, goods, change, and left-out movements. */
function chainEntries(beside: ReceiptBeside): Entry[] {
  return [
    [TRAITS.payerKind, beside.payerKind],
    [TRAITS.sellerKind, beside.sellerKind],
    ...listed(TRAITS.goods, beside.goods, inToken),
    ...listed(TRAITS.paidWith, beside.paidWith, inToken),
    ...listed(TRAITS.change, beside.change, inToken),
    ...listed(
      TRAITS.leftOut,
      beside.leftOut,
      (one) => `${one.reason} ${inToken(one)} ${one.from ?? 'nobody'} ${one.to ?? 'nobody'}`,
    ),
  ];
}

/** The same, without absent fields. */
export function besideLines(beside: ReceiptBeside): BesideLines {
  return chainEntries(beside).flatMap(([trait, value]) =>
    value === null ? [] : [[trait, value] as const],
  );
}

/** The service's word: by which template it describes the transfer, and by which prices it chose it. */
export function serviceEntries(o: {
  template: number;
  prices: readonly LegPrice[];
  /** How many prices there were, which may be more than are listed. */
  priceCount: number;
}): Entry[] {
  const [, ...lines] = listed(TRAITS.prices, o.prices, ({ mint, usdPerUnit, basis, source }) =>
    [mint ?? NATIVE_SOL_TOKEN, toDecimalText(usdPerUnit), basis, source ?? ''].join(' ').trimEnd(),
  );
  const count: Entry[] = o.priceCount === 0 ? [] : [[TRAITS.prices, o.priceCount.toString()]];
  return [[TRAITS.template, o.template.toString()], ...count, ...lines];
}

/**
 * Other payees that are named one by one. The count covers the rest, which the transaction itself
 * lists.
 */
export const LISTED_PAYEES = LISTED;

/**
 * Version of the template; receipts of the first one do not name it. The third has the same texts
 * as the second, and its image carries the digest of the facts. The fourth has the same texts again,
 * and its image uses the words of the pages.
 */
export const TEMPLATE = '4';

/** The word for SOL where more text follows the mint: no spaces. */
export const NATIVE_SOL_TOKEN = 'SOL';

/** A leg in another token names it after the amount. */
export function legText(leg: ReceiptLeg, decimals: number): string {
  const amount = toDecimal(leg.amount, leg.decimals ?? decimals);
  return leg.mint === undefined
    ? `${leg.owner} ${amount}`
    : `${leg.owner} ${amount} ${leg.mint ?? NATIVE_SOL_TOKEN} ${leg.decimals ?? decimals}`;
}

function inToken({ mint, decimals, amount }: Token): string {
  return `${toDecimal(amount, decimals)} ${mint ?? NATIVE_SOL_TOKEN}`;
}

function listed<T>(trait: string, list: readonly T[], text: (one: T) => string): Entry[] {
  if (list.length === 0) return [];
  return [
    [trait, list.length.toString()],
    ...list
      .slice(0, LISTED)
      .map((one, place): Entry => [numberedTrait(trait, place + 1), text(one)]),
  ];
}
