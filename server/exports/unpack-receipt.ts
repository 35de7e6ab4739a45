import { z } from 'zod';
import type { LocalColumns, TransferRow } from '@/server/receipts/transfer-row';
import type { PackedReceipt } from './page-receipts';

const units = z.string().transform(BigInt);
const packedRow = z.object({
  receiptId: z.string(),
  txSignature: z.string(),
  token: z.string(),
  mint: z.string().nullable(),
  dtifCode: z.string().nullable(),
  decimals: z.number(),
  amountRaw: units,
  amountSentRaw: units,
  feeWithheldRaw: units,
  usdMicros: units,
  valuation: z.string(),
  serviceType: z.string(),
  transactionType: z.string().nullable(),
  invoiceId: z.string().nullable(),
  payer: z.string(),
  seller: z.string(),
  slot: units,
  metadataUri: z.string(),
  mintStatus: z.string(),
  assetId: z.string().nullable(),
});

/** A receipt as a row of the export of one of its two wallets. */
export function unpackReceipt(
  receipt: PackedReceipt,
  o: { wallet: string; localOf: (row: ValuedRow, time: Date) => LocalColumns | null },
): TransferRow {
  const row = packedRow.parse(JSON.parse(receipt.packed));
  const blockTime = new Date(receipt.blockTimeMs);
  const isSent = row.payer === o.wallet;
  return Object.assign(row, {
    blockTime,
    direction: isSent ? ('sent' as const) : ('received' as const),
    counterparty: isSent ? row.seller : row.payer,
    local: o.localOf(row, blockTime),
  });
}

/** What the local value of a row is made from. */
export type ValuedRow = Pick<
  TransferRow,
  'amountRaw' | 'amountSentRaw' | 'feeWithheldRaw' | 'decimals' | 'mint' | 'valuation' | 'usdMicros'
>;
