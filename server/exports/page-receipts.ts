import type { Db } from '@/server/db/client';
import type { TransferRow } from '@/server/receipts/transfer-row';

/** A receipt of a wallet, without the columns that depend on a country. */
export type ReceiptRow = Omit<TransferRow, 'local' | 'receiptId'> & { receiptId: string };
/** Where a page ends: its last row. */
export type Cursor = { blockTime: Date; id: string };

type Stored = Omit<ReceiptRow, 'direction' | 'counterparty'>;

/** Before everything that can be in the table. */
const START: Cursor = { blockTime: new Date(0), id: '' };

/** Receipts of a wallet as payer or seller after `cursor`, oldest first. Each side reads its own index. */
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
    select own.id as "receiptId", tx_signature as "txSignature", block_time as "blockTime", token,
           own.mint, dtif_code as "dtifCode", decimals, amount_raw as "amountRaw",
           amount_sent_raw as "amountSentRaw", fee_withheld_raw as "feeWithheldRaw",
           usd_micros as "usdMicros", valuation, service_type as "serviceType",
           transaction_type as "transactionType", invoice_id as "invoiceId", payer, seller, slot,
           mints.metadata_uri as "metadataUri", mints.status as "mintStatus",
           mints.asset_id as "assetId"
      from own join mints on mints.id = own.id
     order by own.block_time, own.id`;
  return rows.map((row) =>
    row.payer === wallet
      ? { ...row, direction: 'sent', counterparty: row.seller }
      : { ...row, direction: 'received', counterparty: row.payer },
  );
}
