import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';

/** Another amount of the transaction, with its sender and receiver where known. */
export type BesideLine = {
  raw: bigint;
  decimals: number;
  token: string;
  from: string | null;
  to: string | null;
};
/** `kind` is the kind of movement. `reason` is the API's reason for a left-out part. */
export type BesideGroup = { lines: BesideLine[] } & (
  | { kind: 'alsoPaid' | 'goods' | 'exchanged' | 'change' | 'withheld' }
  | { kind: 'leftOut'; reason: string }
);

type Amount = { amount_raw: string; decimals: number; token: string };
type Parties = Partial<Pick<BesideLine, 'from' | 'to'>>;

/**
 * Everything that a transaction moved besides the payment of its receipt, in groups. They are
 * further payments, goods, amounts that an exchange took and returned, a fee that the token
 * withheld, and left-out movements by kind. Empty for a receipt without any.
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

/** One group for each reason. Equal movements are added up, so that six rents are one line. */
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
