import type { Transfer } from '@quittance/verify/chain/transfer';
import { ServiceError } from '@/server/errors';
import { readPricedOnce } from '@/server/rates/read-priced';
import { valueTransfer, verified } from '@/server/receipts/value-transfer';
import { presentTransfer, type DollarValue } from '../present';
import type { RequestContext } from '../request-context';
import type { VerifyBody } from '../schemas';

/**
 * The transfer that a transaction is, of any token; throws the 400 that says why it is none. What the
 * chain proves is answered even while no price can be had.
 */
export async function verifyTransaction(
  ctx: RequestContext,
  input: { tx_signature: string },
): Promise<VerifyBody> {
  const transfer = verified(await readPricedOnce(ctx.service, input.tx_signature));
  return presentTransfer(transfer, ctx.service.env.network, await dollarValue(ctx, transfer));
}

async function dollarValue(ctx: RequestContext, transfer: Transfer): Promise<DollarValue> {
  try {
    return { valued: await valueTransfer(ctx.service, transfer) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const isPriceless = error.code === 'rates_unavailable' || error.code === 'rate_not_covered';
    return { valued: null, error: isPriceless ? error.message : null };
  }
}
