import { textCell } from '../csv';
import { USD_DECIMALS, toDecimal } from '../money';

/** A transfer as an export or a statement lists it, seen from one of its two wallets. */
export type TransferRow = {
  receiptId: string | null;
  txSignature: string;
  blockTime: Date;
  direction: 'sent' | 'received';
  counterparty: string;
  token: string;
  /** Null for native SOL. */
  mint: string | null;
  dtifCode: string | null;
  decimals: number;
  /** The amount that the seller received. */
  amountRaw: bigint;
  /** The amount that the payer gave for it. */
  amountSentRaw: bigint;
  feeWithheldRaw: bigint;
  /** Null for a further leg in a token that has no value. */
  usdMicros: bigint | null;
  /** Empty for a token that has no value. */
  valuation: string;
  local: LocalColumns | null;
  serviceType: string | null;
  transactionType: string | null;
  invoiceId: string | null;
  metadataUri: string | null;
  payer: string;
  seller: string;
  slot: bigint;
  mintStatus: string | null;
  assetId: string | null;
};

/** Value in the currency of a country, or why there is none. */
export type LocalColumns = {
  currency: string;
  minorUnits: number;
  value:
    | {
        /** Of the amount received. */
        minor: bigint;
        /** Of the amount sent: more than `minor` where the token withheld a fee. */
        sentMinor: bigint;
        rate: string;
        rateDate: string;
        rateSource: string;
        provisional: boolean;
      }
    | { error: string };
};

/** Columns of the CSV, in order; JSON has the same names. */
export const CSV_COLUMNS = [
  ...['receipt_id', 'tx_signature', 'block_time_utc', 'direction', 'counterparty', 'token', 'mint'],
  ...['dtif_code', 'amount', 'usd_amount', 'local_currency', 'local_amount', 'exchange_rate'],
  ...['rate_date', 'rate_source', 'service_type', 'transaction_type', 'invoice_id', 'metadata_uri'],
  ...['valuation', 'amount_sent', 'fee_withheld', 'payer', 'seller', 'slot', 'mint_status'],
  'asset_id',
] as const;

/** Cells of a row, in the order of {@link CSV_COLUMNS}: plain decimals, UTC times, formula-safe text. */
export function toCsvCells(row: TransferRow): string[] {
  const { decimals } = row;
  const local = localCells(row.local);
  return [
    row.receiptId ?? '',
    row.txSignature,
    row.blockTime.toISOString(),
    row.direction,
    row.counterparty,
    textCell(row.token),
    row.mint ?? '',
    row.dtifCode ?? '',
    toDecimal(row.amountRaw, decimals),
    row.usdMicros === null ? '' : toDecimal(row.usdMicros, USD_DECIMALS),
    ...[local.currency, local.amount, local.rate, local.rateDate, textCell(local.source)],
    textCell(row.serviceType),
    textCell(row.transactionType),
    textCell(row.invoiceId),
    row.metadataUri ?? '',
    row.valuation,
    toDecimal(row.amountSentRaw, decimals),
    toDecimal(row.feeWithheldRaw, decimals),
    row.payer,
    row.seller,
    row.slot.toString(),
    row.mintStatus ?? '',
    row.assetId ?? '',
  ];
}

/** The local columns as text. A missing rate leaves the figures empty and says why as its source. */
export function localCells(local: LocalColumns | null): {
  currency: string;
  amount: string;
  amountSent: string;
  rate: string;
  rateDate: string;
  source: string;
} {
  const none = { currency: '', amount: '', amountSent: '', rate: '', rateDate: '', source: '' };
  if (local === null) return none;
  const { currency, minorUnits, value } = local;
  if ('error' in value) return { ...none, currency, source: `no rate: ${value.error}` };
  return {
    currency,
    amount: padDecimal(value.minor, minorUnits),
    amountSent: padDecimal(value.sentMinor, minorUnits),
    rate: value.rate,
    rateDate: value.rateDate,
    source: value.provisional ? `${value.rateSource} (provisional)` : value.rateSource,
  };
}

/** Minor units of a currency with all their digits: `10.50`, `1925`. */
export function padDecimal(minor: bigint, minorUnits: number): string {
  const digits = minor.toString().padStart(minorUnits + 1, '0');
  const whole = digits.slice(0, digits.length - minorUnits);
  return minorUnits === 0 ? whole : `${whole}.${digits.slice(-minorUnits)}`;
}
