import type { Fraction } from '@quittance/verify/money';
import type { LocalColumns, TransferRow } from '@quittance/verify/receipts/transfer-row';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';
import { LISTED_RECEIPT, type PlainRow, readListed } from '@/server/receipts/receipt-codec';
import { legRows } from './leg-rows';

/** Where a page ends: its last row, in the order of the chain. */
export type Cursor = { blockTime: Date; slot: bigint; blockIndex: number; id: string };

/**
 * A receipt in an export: what selects the next page and the rates of a page, and the rest as one
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
    select r.id as "receiptId", (extract(epoch from r.block_time) * 1000)::float8 as "blockTimeMs",
           r.slot, r.block_index as "blockIndex", r.mint, r.valuation, ${LISTED_RECEIPT} as packed
      from own r cross join lateral (
        select metadata_uri, status, asset_id from mints where mints.id = r.id offset 0
      ) m
     order by r.block_time, r.slot, r.block_index, r.id`;
}

/**
 * A receipt as rows of the export of a wallet: what the receipt is about, where the wallet is its payer or
 * seller, then the further legs that are the wallet's.
 */
export function unpackReceipt(
  receipt: PackedReceipt,
  o: { wallet: string; network: Network; localOf: LocalOf; priceOf: PriceOf },
): TransferRow[] {
  const { otherLegs, prices, ...row } = readListed(receipt.packed);
  const rows: PlainRow[] = [
    ...(o.wallet === row.payer || o.wallet === row.seller ? [row] : []),
    ...legRows<PlainRow>({
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
      local: o.localOf(one, row.blockTime),
    };
  });
}

/** The value of a row in the currency of the file; null in a file without one. */
export type LocalOf = (row: ValuedRow, time: Date) => LocalColumns | null;

/** The exact price of a row's token on its day; null if not available. */
export type PriceOf = (row: { mint: string | null; blockTime: Date }) => Fraction | null;

/** What the local value of a row is made from. */
export type ValuedRow = Pick<
  TransferRow,
  'amountRaw' | 'amountSentRaw' | 'feeWithheldRaw' | 'decimals' | 'mint' | 'valuation' | 'usdMicros'
>;
