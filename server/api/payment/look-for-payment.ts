import { TOKEN } from '@/server/chain/programs';
import { tokenAddressOf } from '@/server/chain/token-address';
import { paymentNetwork } from '@/server/payments/payment-network';
import { readFeePayment, type FeeReading } from '@/server/payments/read-fee-payment';
import type { RequestContext } from '../request-context';

/** One look at what a transaction paid to this service. */
export async function lookForPayment(ctx: RequestContext, signature: string): Promise<FeeReading> {
  const { env, rpc } = ctx.service;
  const { usdcMint: mint } = paymentNetwork(env.network);
  const account = await tokenAddressOf({ wallet: env.payTo, mint, tokenProgram: TOKEN });
  return readFeePayment({ rpc, signature, payTo: { wallet: env.payTo, account, mint } });
}
