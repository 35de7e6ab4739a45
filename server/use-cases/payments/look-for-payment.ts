import type { Payment } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { log } from '@/server/log';
import { findPayment } from '@/server/payments/find-payment';
import { reviveLanded } from '@/server/payments/recover-payments';
import { type FeeReading, readFeePayment } from '@/server/payments/read-fee-payment';
import type { PresentedPayment } from '@/server/payments/read-payment-header';
import { paidTo } from './look-on-nodes';
import type { Call } from '../call';

/**
 * Reads once what a transaction paid to this service. The paid wallet is PAY_TO, an earlier PAY_TO
 * that kept quotes name, or the wallet of a payment on record.
 */
export async function lookForPayment(call: Call, signature: string): Promise<FeeReading> {
  const { env, rpc, db } = call.service;
  const look = async (wallet: string): Promise<FeeReading> =>
    readFeePayment({ rpc, signature, payTo: await paidTo(call, { payTo: wallet }) });
  const seen = await look(env.payTo);
  if (seen.state !== 'refused' || seen.code !== 'payment_not_to_us') return seen;
  const [recorded, quoted] = await Promise.all([
    db.payment.findUnique({ where: { signature }, select: { payTo: true } }),
    earlierWallets(db, env.payTo),
  ]);
  const earlier = new Set([...(recorded ? [recorded.payTo] : []), ...quoted]);
  earlier.delete(env.payTo);
  for (const wallet of earlier) {
    const other = await look(wallet);
    if (other.state === 'paid') return other;
  }
  return seen;
}

/** Wallets that PAY_TO named before, from kept quotes. */
async function earlierWallets(db: Pick<Db, '$queryRaw'>, payTo: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ payTo: string }[]>`
    select distinct pay_to as "payTo" from quotes
    where pay_to <> ${payTo} and keep_until > clock_timestamp()`;
  return rows.map((row) => row.payTo);
}

/**
 * The ledger's record of a presented payment; null for a new one. A failed one is checked again
 * before any answer says that nothing was charged. Throws RpcUnavailable.
 */
export async function findKnown(call: Call, presented: PresentedPayment): Promise<Payment | null> {
  const { db, rpc, clock } = call.service;
  const known = await findPayment(db, presented);
  if (known?.state !== 'failed') return known;
  const revived = await reviveLanded({ db, rpc, now: clock.now() }, known);
  if (!revived) return known;
  const { id: paymentId, signature } = revived;
  log().error({ event: 'payment_landed_after_all', paymentId, signature, was: known.reason });
  return revived;
}
