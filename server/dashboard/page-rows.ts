import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { RECEIPT_ID } from '@/server/ids';
import { isSignature, isWalletAddress } from '@/server/wallets/base58';
import type { RowFilter } from './row-filter';
import { periodOf, sideOf, tokenIs } from './row-filter';

/** Where a page ends: its last row, in the order of the chain. */
export type RowCursor = { blockTime: Date; slot: bigint; blockIndex: number; id: string };

/** The cursor after a row. */
export function cursorAfter(row: DashboardRow): RowCursor {
  const { blockTime, slot, blockIndex, receiptId: id } = row;
  return { blockTime, slot, blockIndex, id };
}

/** A receipt as its wallet's dashboard lists it. */
export type DashboardRow = {
  receiptId: string;
  txSignature: string;
  blockTime: Date;
  payer: string;
  seller: string;
  token: string;
  mint: string | null;
  dtifCode: string | null;
  decimals: number;
  amountRaw: bigint;
  amountSentRaw: bigint;
  feeWithheldRaw: bigint;
  usdMicros: bigint;
  valuation: string;
  slot: bigint;
  blockIndex: number;
  serviceType: string;
  transactionType: string | null;
  invoiceId: string | null;
  reportedBy: string;
  automatic: boolean;
  metadataUri: string;
  mintStatus: string;
  attempts: number;
  lastError: string | null;
  mintUpdatedAt: Date;
  assetId: string | null;
  /** The wallet's own note. */
  label: string | null;
  /** Further legs and frozen prices, as stored. */
  otherLegs: unknown;
  prices: unknown;
};

/**
 * One page of a wallet's receipts, in the order of the chain. The rows of a page are found in an index of that wallet
 * alone and only then fetched, so that a page costs the same wherever it is.
 */
export async function pageRows(
  db: Db,
  o: RowFilter & { cursor: RowCursor | null; limit: number; order: 'newest' | 'oldest' },
): Promise<DashboardRow[]> {
  const isNewest = o.order === 'newest';
  const order = isNewest ? Prisma.sql`desc` : Prisma.sql`asc`;
  const beyond = isNewest ? Prisma.sql`<` : Prisma.sql`>`;
  const after = o.cursor
    ? Prisma.sql`and (r.block_time, r.slot, r.block_index, r.id) ${beyond}
        (${o.cursor.blockTime}, ${o.cursor.slot}, ${o.cursor.blockIndex}, ${o.cursor.id})`
    : Prisma.empty;
  const inOrder = Prisma.sql`r.block_time ${order}, r.slot ${order}, r.block_index ${order}, r.id ${order}`;
  const found = Prisma.sql`
    select r.id from receipts r
     where ${sideOf(o)} and ${periodOf(o)} ${tokenIs(o)} ${searched(o)} ${inState(o)} ${after}
     order by ${inOrder} limit ${o.limit}`;
  return db.$queryRaw<DashboardRow[]>`
    select r.id as "receiptId", r.tx_signature as "txSignature", r.block_time as "blockTime", r.payer,
           r.seller, r.token, r.mint, r.dtif_code as "dtifCode", r.decimals,
           r.amount_raw as "amountRaw", r.amount_sent_raw as "amountSentRaw",
           r.fee_withheld_raw as "feeWithheldRaw", r.usd_micros as "usdMicros", r.valuation, r.slot,
           r.block_index as "blockIndex", r.service_type as "serviceType", r.transaction_type as "transactionType",
           r.invoice_id as "invoiceId", r.reported_by as "reportedBy", r.automatic,
           m.metadata_uri as "metadataUri", m.status as "mintStatus", m.attempts,
           m.last_error as "lastError", m.updated_at as "mintUpdatedAt", m.asset_id as "assetId", l.label,
           r.other_legs as "otherLegs", r.beside->'prices' as prices
      from (${found}) page
      join receipts r on r.id = page.id
      join mints m on m.id = page.id
      left join private_labels l on l.receipt_id = page.id and l.wallet = ${o.wallet}
     order by ${inOrder}`;
}

/**
 * A receipt id, signature or wallet finds exactly that. Of any other text each word must begin a word of
 * what the receipt is for, its kind or its invoice, which an index has; or the text is in the wallet's own
 * note, of which there are few.
 */
function searched(o: RowFilter): Prisma.Sql {
  const text = o.search?.trim() ?? '';
  if (text === '') return Prisma.empty;
  if (RECEIPT_ID.test(text.toUpperCase())) return Prisma.sql`and r.id = ${text.toUpperCase()}`;
  if (isSignature(text)) return Prisma.sql`and r.tx_signature = ${text}`;
  if (isWalletAddress(text))
    return o.role === 'seller'
      ? Prisma.sql`and r.payer = ${text}`
      : Prisma.sql`and r.seller = ${text}`;
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  // A lexeme of receipt_words: among all receipts of the service, those of this wallet.
  const own = `'${o.role === 'seller' ? 's' : 'p'}${o.wallet}'`;
  return Prisma.sql`and r.id in (
    select h.id from receipts h
     where h.released_at is null
       and receipt_words(h.seller, h.payer, h.service_type, h.invoice_id, h.transaction_type)
           @@ (${own}::tsquery && words_query(${text}))
    union all
    select receipt_id from private_labels where wallet = ${o.wallet} and label ilike ${like})`;
}

/** Few mints are pending or failed: their index is the way in. */
function inState(o: RowFilter): Prisma.Sql {
  return o.status === undefined
    ? Prisma.empty
    : Prisma.sql`and r.id in (select id from mints where status = ${o.status})`;
}
