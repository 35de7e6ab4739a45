import { USD_DECIMALS, toJsonNumber } from '@quittance/verify/money';
import { localCells, type TransferRow } from '@quittance/verify/receipts/transfer-row';

/** A row as JSON: the columns of the CSV, amounts as numbers with their base units as `_raw` strings. */
export function toJsonItem(row: TransferRow) {
  const { decimals, local } = row;
  const { currency, rate, rateDate, source } = localCells(local);
  const value = local && 'minor' in local.value ? local.value : null;
  const units = local?.minorUnits ?? 0;
  return {
    receipt_id: row.receiptId,
    tx_signature: row.txSignature,
    block_time_utc: row.blockTime.toISOString(),
    direction: row.direction,
    counterparty: row.counterparty,
    token: row.token,
    mint: row.mint,
    dtif_code: row.dtifCode,
    amount: toJsonNumber(row.amountRaw, decimals),
    amount_raw: row.amountRaw.toString(),
    decimals,
    usd_amount: row.usdMicros === null ? null : toJsonNumber(row.usdMicros, USD_DECIMALS),
    usd_amount_raw: row.usdMicros === null ? null : row.usdMicros.toString(),
    local_currency: currency,
    local_amount: value === null ? null : toJsonNumber(value.minor, units),
    local_amount_raw: value === null ? null : value.minor.toString(),
    exchange_rate: value === null ? null : Number(rate),
    rate_date: value === null ? null : rateDate,
    rate_source: value === null ? source : value.rateSource,
    rate_provisional: value?.provisional ?? false,
    service_type: row.serviceType,
    transaction_type: row.transactionType,
    invoice_id: row.invoiceId,
    metadata_uri: row.metadataUri,
    valuation: row.valuation,
    amount_sent: toJsonNumber(row.amountSentRaw, decimals),
    amount_sent_raw: row.amountSentRaw.toString(),
    fee_withheld: toJsonNumber(row.feeWithheldRaw, decimals),
    fee_withheld_raw: row.feeWithheldRaw.toString(),
    payer: row.payer,
    seller: row.seller,
    slot: Number(row.slot),
    mint_status: row.mintStatus,
    asset_id: row.assetId,
  };
}
