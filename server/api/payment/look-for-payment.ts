import { paymentNetwork } from '@/server/payments/payment-network';
import { readFeePayment, type FeeReading } from '@/server/payments/read-fee-payment';
import { tokenAccountOf } from '@/server/payments/token-account';
import type { RequestContext } from '../request-context';

/** One look at what a transaction paid to this service. */
export async function lookForPayment(ctx: RequestContext, signature: string): Promise<FeeReading> {
  const { env, rpc } = ctx.service;
  const { usdcMint: mint } = paymentNetwork(env.network);
  const account = await tokenAccountOf(env.payTo, mint);
  return readFeePayment({ rpc, signature, payTo: { wallet: env.payTo, account, mint } });
}
