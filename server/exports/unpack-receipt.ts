import type { LocalColumns, TransferRow } from '@quittance/verify/receipts/transfer-row';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';
import {
  ITS_MINT,
  LISTED_RECEIPT,
  type PlainRow,
  readListed,
} from '@/server/receipts/receipt-codec';
import { type PriceOf, receiptRows } from './leg-rows';

/** Where a page ends: its last row, in the order of the chain. */
export type Cursor = { blockTime: Date; slot: bigint; blockIndex: number; id: string };

/**
 * A receipt in an export: the fields that select the next page and the rates of a page, and the
 * rest as one text. Twenty values a row, kept until a page is whole, would fill the memory of a
 * long export.
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
 * Receipts of a wallet as payer, seller or owner of a further leg after `cursor`, oldest first, in
 * the order of the chain. Each side reads its own index.
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
    select r.id as "receiptId", (extract(epoch from r.block_time) * 1000)::float8 as "blockTimeMs",
           r.slot, r.block_index as "blockIndex", r.mint, r.valuation, ${LISTED_RECEIPT} as packed
      from own r ${ITS_MINT}
     order by r.block_time, r.slot, r.block_index, r.id`;
}

/** A receipt as rows of the export of a wallet. */
export function unpackReceipt(
  receipt: PackedReceipt,
  o: { wallet: string; network: Network; localOf: LocalOf; priceOf: PriceOf },
): TransferRow[] {
  const row = readListed(receipt.packed);
  const { wallet, network, priceOf } = o;
  return receiptRows(row, { wallet, network, priceOf }).map((one) =>
    seenRow(one, { isSent: one.payer === wallet, local: o.localOf(one, row.blockTime) }),
  );
}

/**
 * A row as one of its two wallets sees it. It names each field, because a spread with further
 * fields takes fifty times as long, and a file may have 100,000 rows.
 */
export function seenRow(
  one: PlainRow,
  { isSent, local }: { isSent: boolean; local: LocalColumns | null },
): TransferRow {
  return {
    receiptId: one.receiptId,
    txSignature: one.txSignature,
    blockTime: one.blockTime,
    direction: isSent ? 'sent' : 'received',
    counterparty: isSent ? one.seller : one.payer,
    token: one.token,
    mint: one.mint,
    dtifCode: one.dtifCode,
    decimals: one.decimals,
    amountRaw: one.amountRaw,
    amountSentRaw: one.amountSentRaw,
    feeWithheldRaw: one.feeWithheldRaw,
    usdMicros: one.usdMicros,
    valuation: one.valuation,
    local,
    serviceType: one.serviceType,
    transactionType: one.transactionType,
    invoiceId: one.invoiceId,
    metadataUri: one.metadataUri,
    payer: one.payer,
    seller: one.seller,
    slot: one.slot,
    mintStatus: one.mintStatus,
    assetId: one.assetId,
  };
}

/** The value of a row in the currency of the file; null in a file without one. */
export type LocalOf = (row: ValuedRow, time: Date) => LocalColumns | null;

/** The inputs of the local value of a row. */
export type ValuedRow = Pick<
  TransferRow,
  'amountRaw' | 'amountSentRaw' | 'feeWithheldRaw' | 'decimals' | 'mint' | 'valuation' | 'usdMicros'
>;
