import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';

/** An amount beside the payment, and the owners that it came from and went to, where they are known. */
export type BesideLine = {
  raw: bigint;
  decimals: number;
  token: string;
  from: string | null;
  to: string | null;
};
/** `kind` says what moved; `reason` is that of the API, of what is left out. */
export type BesideGroup = { lines: BesideLine[] } & (
  | { kind: 'alsoPaid' | 'goods' | 'exchanged' | 'change' | 'withheld' }
  | { kind: 'leftOut'; reason: string }
);

type Amount = { amount_raw: string; decimals: number; token: string };
type Parties = Partial<Pick<BesideLine, 'from' | 'to'>>;

/**
 * All that a transaction moved beside the payment of its receipt, in groups: further payments, goods, what an
 * exchange took and returned, a fee that the token withheld, and each kind of what is left out. Empty for a
 * receipt that has nothing of the sort.
 */
export function besideGroups(receipt: ReceiptBody): BesideGroup[] {
  const { goods = [], change = [], paid_with: paidWith = [] } = receipt;
  const withheld = { ...receipt, amount_raw: receipt.fee_withheld_raw };
  const groups: BesideGroup[] = [
    { kind: 'alsoPaid', lines: receipt.other_legs.map((leg) => toLine(leg, { to: leg.owner })) },
    { kind: 'goods', lines: goods.map((one) => toLine(one)) },
    {
      kind: 'exchanged',
      lines: paidWith.map((leg) => toLine(leg, { from: leg.owner })),
    },
    { kind: 'change', lines: change.map((leg) => toLine(leg, { to: leg.owner })) },
    { kind: 'withheld', lines: [toLine(withheld)] },
    ...leftOutGroups(receipt.left_out ?? []),
  ];
  return groups
    .map((group) => ({ ...group, lines: group.lines.filter(({ raw }) => raw > 0n) }))
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
    kind: 'leftOut',
    reason,
    lines: [...lines.values()],
  }));
}

function toLine(
  { amount_raw: raw, decimals, token }: Amount,
  { from = null, to = null }: Parties = {},
): BesideLine {
  return { raw: BigInt(raw), decimals, token, from, to };
}
