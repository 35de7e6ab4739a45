import type { Payment, PrismaClient } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import { type Db, isNotUnique } from '@/server/db/client';
import { lockPayment, refundedOf } from './ledger/entries';

/** The amount that arrived in one token in the transaction that is refunded. */
export type Credit = { signature: string; token: string; amountRaw: bigint };

type Refund = {
  /** The payment's row; null for one that nobody presented. */
  id: string | null;
  refundSignature: string;
  /** Base units of the token; micro-USDC for a payment that has a row. */
  amountMicros: bigint;
  /** Wallet that sent the refund. */
  from: string;
  /** The amount that arrived. The default is the row. */
  credit?: Credit;
  /** Whether it left a wallet of ours, so that it is an entry of the ledger. */
  isFromLedger?: boolean;
  /** Operator who records it. The default is the holder of ADMIN_TOKEN. */
  actor?: string;
  now: Date;
};

export type Recorded = 'recorded' | 'taken' | 'not_left' | 'not_unused' | 'withdrawn';

/** States in which a request works on a payment. */
const AT_WORK: ReadonlySet<string> = new Set(['claimed', 'sent', 'settled']);

/**
 * Records a refund, with its audit row. It refunds a whole payment, a part of it, or the surplus of
 * one that bought something. A refund transaction belongs to one payment. `taken`: it is on record
 * for another. `not_left`: less than that is left of the payment. `not_unused`: a request works on
 * it. `withdrawn`: the operator recorded it as a withdrawal. A payment of which nothing is left is
 * `refunded`. Safe to repeat.
 */
export async function recordRefund(db: PrismaClient, o: Refund): Promise<Recorded> {
  try {
    return await db.$transaction((tx) => record(tx, o));
  } catch (error) {
    if (isNotUnique(error)) return 'taken';
    throw error;
  }
}

async function record(tx: Db, o: Refund): Promise<Recorded> {
  const { refundSignature, amountMicros: amountRaw, now } = o;
  const named = o.credit?.signature ?? (await rowOf(tx, o.id))?.signature ?? null;
  if (named === null) throw new Error(`the payment ${o.id ?? ''} has no signature on record`);
  await lockPayment(tx, named);
  // Read after the lock: a purchase may have come first.
  const row = await tx.payment.findUnique({ where: { signature: named } });
  const credit = o.credit ?? creditOf(row);
  const known = await tx.ledgerRefund.findUnique({ where: { refundSignature } });
  if (known) return known.paymentSignature === named ? 'recorded' : 'taken';
  if (row && credit.token === 'USDC' && AT_WORK.has(row.state)) return 'not_unused';
  const left = await leftOf(tx, { row, credit });
  if (left <= 0n || amountRaw > left) return 'not_left';
  if (!(await explain(tx, o, credit))) return 'withdrawn';
  await tx.ledgerRefund.create({
    data: {
      refundSignature,
      paymentSignature: named,
      token: credit.token,
      amountRaw,
      fromWallet: o.from,
      fromLedger: o.isFromLedger ?? false,
      recordedAt: now,
    },
  });
  if (row?.state === 'unused' && credit.token === 'USDC' && amountRaw === left)
    await markRefunded(tx, { id: row.id, refundSignature, now });
  await writeAudit(tx, {
    at: now,
    actor: o.actor ?? 'admin',
    action: 'payment.refund',
    subject: row?.id ?? named,
    detail: detailOf(o, credit),
  });
  return 'recorded';
}

/** The rest of what arrived: without the price of its purchase and without its refunds. */
export async function leftOf(
  db: Db,
  o: { row: Pick<Payment, 'state' | 'priceMicros'> | null; credit: Credit },
): Promise<bigint> {
  const { row, credit } = o;
  const isSpent = row?.state === 'used' && credit.token === 'USDC';
  const spent = isSpent ? (row.priceMicros ?? credit.amountRaw) : 0n;
  // Rows from before there were parts of refunds.
  if (row?.state === 'refunded' && credit.token === 'USDC') return 0n;
  return credit.amountRaw - spent - (await refundedOf(db, credit));
}

/**
 * Marks money that left PAY_TO as this refund. Returns false when the operator recorded something
 * else before.
 */
async function explain(tx: Db, o: Refund, { token }: Credit): Promise<boolean> {
  if (o.isFromLedger !== true) return true;
  const { count } = await tx.ledgerEntry.updateMany({
    where: {
      signature: o.refundSignature,
      wallet: o.from,
      direction: 'out',
      token,
      OR: [{ purpose: null }, { purpose: 'refund' }],
    },
    data: { purpose: 'refund' },
  });
  return count > 0;
}

async function markRefunded(
  tx: Db,
  o: { id: string; refundSignature: string; now: Date },
): Promise<void> {
  await tx.payment.updateMany({
    where: { id: o.id, state: 'unused' },
    data: {
      state: 'refunded',
      refundSignature: o.refundSignature,
      updatedAt: o.now,
      leaseOwner: null,
      leaseUntil: null,
    },
  });
}

function rowOf(tx: Db, id: string | null): Promise<Payment | null> {
  return id === null ? Promise.resolve(null) : tx.payment.findUnique({ where: { id } });
}

function creditOf(row: Payment | null): Credit {
  if (row === null || row.signature === null || row.amountMicros === null)
    throw new Error('a payment without amount or signature cannot be refunded');
  return { signature: row.signature, token: 'USDC', amountRaw: row.amountMicros };
}

function detailOf(
  { refundSignature, amountMicros, from }: Refund,
  { token }: Credit,
): Record<string, string> {
  const amount = amountMicros.toString();
  return token === 'USDC'
    ? { refundSignature, amountMicros: amount, from }
    : { refundSignature, amountRaw: amount, token, from };
}
