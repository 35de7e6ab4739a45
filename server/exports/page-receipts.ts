import type { Db } from '@/server/db/client';
import type { TransferRow } from '@/server/receipts/transfer-row';

/** A receipt of a wallet, without the columns that depend on a country. */
export type ReceiptRow = Omit<TransferRow, 'local' | 'receiptId'> & { receiptId: string };
/** Where a page ends: its last row. */
export type Cursor = { blockTime: Date; id: string };

type Units = 'amountRaw' | 'amountSentRaw' | 'feeWithheldRaw' | 'usdMicros' | 'slot';
type Stored = Omit<ReceiptRow, Units | 'blockTime' | 'direction' | 'counterparty'> &
  Record<Units, string> & { blockTimeMs: number };

/** Before everything that can be in the table. */
const START: Cursor = { blockTime: new Date(0), id: '' };

/**
 * Receipts of a wallet as payer or seller after `cursor`, oldest first. Each side reads its own index;
 * the lateral with its offset keeps the planner from going through all mints for a page. Whole numbers
 * and times come as text and milliseconds, which takes the client half the time that its own types take.
 */
export async function pageReceipts(
  db: Db,
  o: { wallet: string; cursor: Cursor | null; limit: number },
): Promise<ReceiptRow[]> {
  const { wallet, limit } = o;
  const { blockTime, id } = o.cursor ?? START;
  const rows = await db.$queryRaw<Stored[]>`
    with own as (
      (select * from receipts
        where payer = ${wallet} and released_at is null and (block_time, id) > (${blockTime}, ${id})
        order by block_time, id limit ${limit})
      union all
      (select * from receipts
        where seller = ${wallet} and payer <> ${wallet} and released_at is null
          and (block_time, id) > (${blockTime}, ${id})
        order by block_time, id limit ${limit})
      order by block_time, id limit ${limit}
    )
    select own.id as "receiptId", tx_signature as "txSignature",
           (extract(epoch from block_time) * 1000)::float8 as "blockTimeMs", token, own.mint,
           dtif_code as "dtifCode", decimals, amount_raw::text as "amountRaw",
           amount_sent_raw::text as "amountSentRaw", fee_withheld_raw::text as "feeWithheldRaw",
           usd_micros::text as "usdMicros", valuation, service_type as "serviceType",
           transaction_type as "transactionType", invoice_id as "invoiceId", payer, seller,
           slot::text, minted.*
      from own cross join lateral (
        select metadata_uri as "metadataUri", status as "mintStatus", asset_id as "assetId"
          from mints where mints.id = own.id offset 0
      ) minted
     order by own.block_time, own.id`;
  return rows.map((row) => toRow(row, wallet));
}

function toRow({ blockTimeMs, ...row }: Stored, wallet: string): ReceiptRow {
  const isSent = row.payer === wallet;
  return {
    ...row,
    blockTime: new Date(blockTimeMs),
    direction: isSent ? 'sent' : 'received',
    counterparty: isSent ? row.seller : row.payer,
    amountRaw: BigInt(row.amountRaw),
    amountSentRaw: BigInt(row.amountSentRaw),
    feeWithheldRaw: BigInt(row.feeWithheldRaw),
    usdMicros: BigInt(row.usdMicros),
    slot: BigInt(row.slot),
  };
}
