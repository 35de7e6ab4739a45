import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';
import { leftOutWords } from '../reason-words';

/** An amount beside the payment, and the owners that it came from and went to, where they are told. */
export type BesideLine = {
  raw: bigint;
  decimals: number;
  token: string;
  from: string | null;
  to: string | null;
};
export type BesideGroup = { term: string; lines: BesideLine[] };

type Amount = { amount_raw: string; decimals: number; token: string };
type Parties = Partial<Pick<BesideLine, 'from' | 'to'>>;

/**
 * All that a transaction moved beside the payment of its receipt, in groups: further payments, goods, what an
 * exchange took and gave back, a fee that the token withheld, and each kind of what is left out. Empty for a
 * receipt that has nothing of the sort.
 */
export function besideGroups(receipt: ReceiptBody): BesideGroup[] {
  const { goods = [], change = [], paid_with: paidWith = [] } = receipt;
  const withheld = { ...receipt, amount_raw: receipt.fee_withheld_raw };
  const groups: BesideGroup[] = [
    { term: 'Also paid', lines: receipt.other_legs.map((leg) => toLine(leg, { to: leg.owner })) },
    { term: 'Goods received', lines: goods.map((one) => toLine(one)) },
    {
      term: 'Paid through an exchange',
      lines: paidWith.map((leg) => toLine(leg, { from: leg.owner })),
    },
    { term: 'Change returned', lines: change.map((leg) => toLine(leg, { to: leg.owner })) },
    { term: 'Withheld by the token', lines: [toLine(withheld)] },
    ...leftOutGroups(receipt.left_out ?? []),
  ];
  return groups
    .map(({ term, lines }) => ({ term, lines: lines.filter(({ raw }) => raw > 0n) }))
    .filter(({ lines }) => lines.length > 0);
}

/** One group for each reason. Equal movements are added up: nobody reads six rents one by one. */
function leftOutGroups(leftOut: NonNullable<ReceiptBody['left_out']>): BesideGroup[] {
  const reasons = new Map<string, Map<string, BesideLine>>();
  for (const one of leftOut) {
    const lines = reasons.get(one.reason) ?? new Map<string, BesideLine>();
    reasons.set(one.reason, lines);
    const line = toLine(one, one);
    const key = [line.token, line.decimals, line.from, line.to].join(' ');
    const known = lines.get(key);
    lines.set(key, known ? { ...known, raw: known.raw + line.raw } : line);
  }
  return [...reasons].map(([reason, lines]) => ({
    term: leftOutWords(reason),
    lines: [...lines.values()],
  }));
}

function toLine(
  { amount_raw: raw, decimals, token }: Amount,
  { from = null, to = null }: Parties = {},
): BesideLine {
  return { raw: BigInt(raw), decimals, token, from, to };
}
