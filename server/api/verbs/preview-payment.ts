import { ServiceError } from '@/server/errors';
import { paidRoutesState } from '@/server/payments/check-accounts';
import { priceReceipt } from '@/server/payments/prices';
import { findReceiptOfTransaction } from '@/server/receipts/find-receipt';
import { mintStatusOf } from '../present';
import type { RequestContext } from '../request-context';
import type { CalculateBody } from '../schemas';
import type { PreviewBody } from '../web-schemas';
import { calculateValue } from './calculate-value';
import { verifyTransaction } from './verify-transaction';

/**
 * All that a person wants to see before a receipt is asked for: the transfer, its value in a country's
 * currency, the fee, and the receipt there may be already. Throws the 400 that says why it is no payment.
 */
export async function previewPayment(
  ctx: RequestContext,
  input: { tx_signature: string; country: string },
): Promise<PreviewBody> {
  const { transaction } = await verifyTransaction(ctx, input);
  const [local, existing, paidRoutes] = await Promise.all([
    valueOf(ctx, input),
    findReceiptOfTransaction(ctx.service.db, input.tx_signature),
    paidRoutesState(),
  ]);
  const usd = transaction.usd_amount_raw;
  const price = usd === null ? null : priceReceipt(BigInt(usd));
  return {
    transaction,
    ...local,
    price_raw: price === null ? null : price.toString(),
    receipt: existing && {
      receipt_id: existing.receipt.id,
      mint_status: mintStatusOf(existing.mint),
    },
    closed: price === null || price === 0n || paidRoutes.open ? null : paidRoutes.reason,
  };
}

async function valueOf(
  ctx: RequestContext,
  input: { tx_signature: string; country: string },
): Promise<Pick<PreviewBody, 'local' | 'local_error'>> {
  try {
    return { local: presentLocal(await calculateValue(ctx, input)), local_error: null };
  } catch (error) {
    // What the chain proves is shown also where it cannot be valued.
    if (!(error instanceof ServiceError) || error.code === 'unsupported_country') throw error;
    return { local: null, local_error: error.message };
  }
}

function presentLocal(value: CalculateBody): NonNullable<PreviewBody['local']> {
  return {
    currency: value.local_currency,
    amount_raw: value.local_amount_raw,
    decimals: value.local_decimals,
    rate_date: value.rate_date,
    rate_source: value.rate_source,
    provisional: value.rate_provisional,
  };
}
