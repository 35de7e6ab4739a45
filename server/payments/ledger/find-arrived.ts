import type { LedgerEntry, Payment } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { leftOf, type Credit } from '../record-refund';
import { entriesOf, partiesOf } from './entries';

/** What one transaction brought us in one token, and what is left of it. */
export type Arrived = {
  credit: Credit;
  wallet: string;
  mint: string | null;
  decimals: number;
  slot: bigint;
  blockTime: Date;
  /** Owners that gave it; empty where the transaction does not show them. */
  payers: string[];
  refundedRaw: bigint;
  leftRaw: bigint;
};

/**
 * What a transaction brought us, by token, USDC first, whether or not it was presented: from the ledger, and for
 * a payment on record that the ledger does not have yet, from its row. What one account of ours gave another
 * did not arrive.
 */
export async function findArrived(
  db: Db,
  o: { signature: string; row: Payment | null },
): Promise<Arrived[]> {
  const { signature, row } = o;
  const entries = await entriesOf(db, signature);
  const byToken = new Map<string, LedgerEntry[]>();
  for (const entry of entries)
    if (entry.direction === 'in' && entry.purpose !== 'internal')
      byToken.set(entry.token, [...(byToken.get(entry.token) ?? []), entry]);
  const arrived = await Promise.all(
    [...byToken.values()].map((some) => describe(db, { some, row, signature })),
  );
  const found = arrived.filter((one) => one !== null);
  if (found.length > 0 || row === null) return found;
  const noted = await ofRow(db, row);
  return noted ? [noted] : [];
}

async function describe(
  db: Db,
  o: { some: LedgerEntry[]; row: Payment | null; signature: string },
): Promise<Arrived | null> {
  const [first] = o.some;
  if (!first) return null;
  const { token, wallet, mint, decimals, slot, blockTime } = first;
  const amountRaw = o.some.reduce((sum, entry) => sum + entry.amountRaw, 0n);
  const credit = { signature: o.signature, token, amountRaw };
  const leftRaw = await leftOf(db, { row: o.row, credit });
  const ofChain = [...new Set(o.some.flatMap((entry) => partiesOf(entry).map((one) => one.owner)))];
  // The row says who presented it as its payer, which was checked then.
  const payer = token === 'USDC' ? (o.row?.payer ?? null) : null;
  return {
    credit,
    wallet,
    mint,
    decimals,
    slot,
    blockTime,
    payers: payer === null ? ofChain : [payer],
    refundedRaw: await refundedIn(db, { row: o.row, credit }),
    leftRaw,
  };
}

const USDC_DECIMALS = 6;

async function ofRow(db: Db, row: Payment): Promise<Arrived | null> {
  const { signature, amountMicros, payTo, payer, slot, blockTime, createdAt } = row;
  if (signature === null || amountMicros === null) return null;
  const credit = { signature, token: 'USDC', amountRaw: amountMicros };
  return {
    credit,
    wallet: payTo,
    mint: null,
    decimals: USDC_DECIMALS,
    slot: slot ?? 0n,
    blockTime: blockTime ?? createdAt,
    payers: payer === null ? [] : [payer],
    refundedRaw: await refundedIn(db, { row, credit }),
    leftRaw: await leftOf(db, { row, credit }),
  };
}

async function refundedIn(db: Db, o: { row: Payment | null; credit: Credit }): Promise<bigint> {
  const { _sum } = await db.ledgerRefund.aggregate({
    where: { paymentSignature: o.credit.signature, token: o.credit.token },
    _sum: { amountRaw: true },
  });
  return _sum.amountRaw ?? (o.row?.state === 'refunded' ? o.credit.amountRaw : 0n);
}
