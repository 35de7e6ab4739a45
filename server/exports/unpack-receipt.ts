import { z } from 'zod';
import type { Network } from '@/server/env';
import type { Fraction } from '@quittance/verify/rates/fraction';
import { storedBeside, storedLegs } from '@quittance/verify/receipts/receipt-beside';
import type { LocalColumns, TransferRow } from '@quittance/verify/receipts/transfer-row';
import { legRows } from './leg-rows';
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
  otherLegs: storedLegs,
  prices: storedBeside.shape.prices.nullable(),
});

/**
 * A receipt as rows of the export of a wallet: what the receipt is about, where the wallet is its payer or
 * seller, then the further legs that are the wallet's.
 */
export function unpackReceipt(
  receipt: PackedReceipt,
  o: { wallet: string; network: Network; localOf: LocalOf; priceOf: PriceOf },
): TransferRow[] {
  const { otherLegs, prices, ...fields } = packedRow.parse(JSON.parse(receipt.packed));
  const blockTime = new Date(receipt.blockTimeMs);
  const row = { ...fields, blockTime };
  const rows = [
    ...(o.wallet === row.payer || o.wallet === row.seller ? [row] : []),
    ...legRows({
      row,
      legs: otherLegs,
      prices,
      dayPrice: o.priceOf(row),
      wallet: o.wallet,
      network: o.network,
    }),
  ];
  return rows.map((one) => {
    const isSent = one.payer === o.wallet;
    return {
      ...one,
      direction: isSent ? 'sent' : 'received',
      counterparty: isSent ? one.seller : one.payer,
      local: o.localOf(one, blockTime),
    };
  });
}

/** The value of a row in the currency of the file; null in a file without one. */
export type LocalOf = (row: ValuedRow, time: Date) => LocalColumns | null;

/** The exact price of a row's token on its day; null where it is not at hand. */
export type PriceOf = (row: { mint: string | null; blockTime: Date }) => Fraction | null;

/** What the local value of a row is made from. */
export type ValuedRow = Pick<
  TransferRow,
  'amountRaw' | 'amountSentRaw' | 'feeWithheldRaw' | 'decimals' | 'mint' | 'valuation' | 'usdMicros'
>;
