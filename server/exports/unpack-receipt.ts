import type { Fraction } from '@quittance/verify/money';
import { storedBeside, storedLegs } from '@quittance/verify/receipts/receipt-beside';
import type { LocalColumns, TransferRow } from '@quittance/verify/receipts/transfer-row';
import { z } from 'zod';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';
import { legRows } from './leg-rows';

/** Where a page ends: its last row, in the order of the chain. */
export type Cursor = { blockTime: Date; slot: bigint; blockIndex: number; id: string };

/**
 * A receipt on its way: what the next page and the rates of a page are asked by, and the rest as one
 * text. Twenty values a row, kept until a page is whole, would fill the memory of a long export.
 */
export type PackedReceipt = {
  receiptId: string;
  blockTimeMs: number;
  slot: bigint;
  blockIndex: number;
  mint: string | null;
  valuation: string;
  packed: string;
};

/** Before everything that can be in the table. */
const START: Cursor = { blockTime: new Date(0), slot: 0n, blockIndex: 0, id: '' };

/**
 * Receipts of a wallet as payer, seller or owner of a further leg after `cursor`, oldest first, in the
 * order of the chain. Each side reads its own index; the lateral with its offset keeps the planner from
 * going through all mints for a page.
 */
export async function pageReceipts(
  db: Db,
  o: { wallet: string; cursor: Cursor | null; limit: number },
): Promise<PackedReceipt[]> {
  const { wallet, limit } = o;
  const { blockTime, slot, blockIndex, id } = o.cursor ?? START;
  return db.$queryRaw<PackedReceipt[]>`
    with own as (
      (select * from receipts
        where payer = ${wallet} and released_at is null
          and (block_time, slot, block_index, id) > (${blockTime}, ${slot}, ${blockIndex}, ${id})
        order by block_time, slot, block_index, id limit ${limit})
      union all
      (select * from receipts
        where seller = ${wallet} and payer <> ${wallet} and released_at is null
          and (block_time, slot, block_index, id) > (${blockTime}, ${slot}, ${blockIndex}, ${id})
        order by block_time, slot, block_index, id limit ${limit})
      union all
      (select r.* from receipt_leg_owners l join receipts r on r.id = l.receipt_id
        where l.owner = ${wallet} and r.released_at is null and l.block_time >= ${blockTime}
          and (l.block_time, r.slot, r.block_index, r.id)
              > (${blockTime}, ${slot}, ${blockIndex}, ${id})
        order by l.block_time, r.slot, r.block_index, r.id limit ${limit})
      order by block_time, slot, block_index, id limit ${limit}
    )
    select own.id as "receiptId", (extract(epoch from block_time) * 1000)::float8 as "blockTimeMs",
           slot, block_index as "blockIndex", own.mint, valuation,
           json_build_object('receiptId', own.id, 'txSignature', tx_signature, 'token', token,
             'mint', own.mint, 'dtifCode', dtif_code, 'decimals', decimals,
             'amountRaw', amount_raw::text, 'amountSentRaw', amount_sent_raw::text,
             'feeWithheldRaw', fee_withheld_raw::text, 'usdMicros', usd_micros::text,
             'valuation', valuation, 'serviceType', service_type,
             'transactionType', transaction_type, 'invoiceId', invoice_id, 'payer', payer,
             'seller', seller, 'slot', slot::text, 'metadataUri', minted.metadata_uri,
             'mintStatus', minted.status, 'assetId', minted.asset_id,
             'otherLegs', other_legs, 'prices', beside->'prices')::text as packed
      from own cross join lateral (
        select metadata_uri, status, asset_id from mints where mints.id = own.id offset 0
      ) minted
     order by own.block_time, own.slot, own.block_index, own.id`;
}

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
