import type { Transfer } from '@quittance/verify/chain/transfer';
import { dayOf } from '@/server/clock';
import { ServiceError } from '@/server/errors';
import { paidRoutesState } from '@/server/payments/check-accounts';
import { priceReceipt } from '@/server/payments/prices';
import { requireCountry } from '@/server/rates/countries';
import { valueLocally } from '@/server/rates/local-rate';
import { readPricedOnce } from '@/server/rates/price-readings';
import { findReceiptOfTransaction } from '@/server/receipts/find-receipt';
import { readValuedTransfer, valueTransfer, verified } from '@/server/receipts/value-transfer';
import type { PreviewBody } from '../web-schemas';
import { type DollarValue, presentTransfer, presentValue } from './present-receipt';
import type { CalculateBody, VerifyBody } from './schemas';
import type { Call } from '../call';

/**
 * Everything that a person wants to see before they request a receipt. It has the transfer, its
 * value in a country's currency, the fee, and a receipt that exists already. Throws the 400 that
 * says why it is not a payment.
 */
export async function previewPayment(
  call: Call<{ tx_signature: string; country: string }>,
): Promise<PreviewBody> {
  const { input } = call;
  const { transaction } = await verifyTransaction(call);
  const [local, existing, paidRoutes] = await Promise.all([
    valueOf(call),
    findReceiptOfTransaction(call.service.db, input.tx_signature),
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
      mint_status: existing.mint.status,
    },
    closed: price === null || price === 0n || paidRoutes.open ? null : paidRoutes.reason,
  };
}

async function valueOf(
  call: Call<{ tx_signature: string; country: string }>,
): Promise<Pick<PreviewBody, 'local' | 'local_error'>> {
  try {
    return { local: presentLocal(await calculateValue(call)), local_error: null };
  } catch (error) {
    // The facts that the chain proves are shown also without a valuation.
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

/** The value of a transaction in a country's currency, by the rate of the transaction's UTC day. */
export async function calculateValue(
  call: Call<{ tx_signature: string; country?: string | undefined }>,
): Promise<CalculateBody> {
  const { input } = call;
  const country = requireCountry(input.country);
  const valued = await readValuedTransfer(call.service, { signature: input.tx_signature });
  const { transfer, usdMicros, valuation, usdPerUnit } = valued;
  const local = await valueLocally({
    ctx: call.service,
    country: country.code,
    day: dayOf(transfer.blockTime),
    usdMicros,
    token: { amountRaw: transfer.amount, decimals: transfer.decimals, valuation, usdPerUnit },
  });
  return presentValue({ valued, local, country: country.code });
}

/**
 * The transfer of a transaction, of any token. Throws the 400 that says why it is not one. The
 * facts that the chain proves are answered even while no price is available.
 */
export async function verifyTransaction(call: Call<{ tx_signature: string }>): Promise<VerifyBody> {
  const { input } = call;
  const transfer = verified(await readPricedOnce(call.service, input.tx_signature));
  return presentTransfer(transfer, call.service.env.network, await dollarValue(call, transfer));
}

async function dollarValue(call: Call, transfer: Transfer): Promise<DollarValue> {
  try {
    return { valued: await valueTransfer(call.service, transfer) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const isPriceless = error.code === 'rates_unavailable' || error.code === 'rate_not_covered';
    return { valued: null, error: isPriceless ? error.message : null };
  }
}
