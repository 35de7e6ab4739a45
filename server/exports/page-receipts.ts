import type { Db } from '@/server/db/client';

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
