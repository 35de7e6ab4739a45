import { isSignature, isWalletAddress } from '@quittance/verify/wallets/base58';
import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { RECEIPT_ID } from '@/server/ids';
import {
  ITS_MINT,
  LISTED_RECEIPT,
  type ListedReceipt,
  readListed,
} from '@/server/receipts/receipt-codec';

/** Selects receipts of a wallet. */
export type RowFilter = {
  wallet: string;
  /** Side of the payment that the wallet is on. */
  role: 'seller' | 'payer';
  /** From the first instant to before the second. */
  from: Date;
  until: Date;
  /** Mint of the token, null for native SOL; all tokens when left out. */
  mint?: string | null | undefined;
  search?: string | undefined;
  status?: 'pending' | 'failed' | undefined;
};

/** Conditions over `receipts r`, in the form that the partial index of each side needs. */
export function sideOf({ role, wallet }: RowFilter): Prisma.Sql {
  return role === 'seller'
    ? Prisma.sql`r.seller = ${wallet} and r.released_at is null`
    : Prisma.sql`r.payer = ${wallet} and r.released_at is null`;
}

export function periodOf({ from, until }: RowFilter): Prisma.Sql {
  return Prisma.sql`r.block_time >= ${from} and r.block_time < ${until}`;
}

export function tokenIs({ mint }: RowFilter): Prisma.Sql {
  if (mint === undefined) return Prisma.empty;
  return mint === null ? Prisma.sql`and r.mint is null` : Prisma.sql`and r.mint = ${mint}`;
}

/** The ids of the receipts that a token, a search or a state selects. Null without any of them. */
export function selectedIds(o: RowFilter): Prisma.Sql | null {
  if (o.mint === undefined && !isNarrowed(o)) return null;
  return Prisma.sql`
    select r.id from receipts r where ${sideOf(o)} and ${periodOf(o)} ${ownHasToken(o)} ${narrowedBy(o)}`;
}

/** Whether a filter has a search or a state. */
export function isNarrowed({ search, status }: RowFilter): boolean {
  return (search?.trim() ?? '') !== '' || status !== undefined;
}

/** The search and the state of a filter, over receipts that have the wallet on its side. */
export function narrowedBy(o: RowFilter): Prisma.Sql {
  return Prisma.sql`${searched(o)} ${inState(o)}`;
}

/** Where a page ends: its last row, in the order of the chain. */
export type RowCursor = { blockTime: Date; slot: bigint; blockIndex: number; id: string };

/** The cursor after a row. */
export function cursorAfter(row: DashboardRow): RowCursor {
  const { blockTime, slot, blockIndex, receiptId: id } = row;
  return { blockTime, slot, blockIndex, id };
}

/** A receipt as its wallet's dashboard lists it. */
export type DashboardRow = ListedReceipt & Beside;

/** Fields of a receipt that only the dashboard shows. */
type Beside = {
  blockIndex: number;
  reportedBy: string;
  automatic: boolean;
  attempts: number;
  lastError: string | null;
  mintUpdatedAt: Date;
  /** The wallet's own note. */
  label: string | null;
};

/** A page of receipts: where it begins, its length and its direction. */
export type PageWish = RowFilter & {
  cursor: RowCursor | null;
  limit: number;
  order: 'newest' | 'oldest';
  /** Only receipts with further legs. */
  hasLegs?: boolean;
};

/**
 * One page of a wallet's receipts, in the order of the chain. They have the wallet as payer or
 * seller. Received payments also include receipts with a further leg for it. The rows of a page are
 * found in an index of that wallet alone and only then fetched, so every page costs the same.
 */
export async function pageRows(db: Db, o: PageWish): Promise<DashboardRow[]> {
  const order = o.order === 'newest' ? Prisma.sql`desc` : Prisma.sql`asc`;
  const inOrder = Prisma.sql`r.block_time ${order}, r.slot ${order}, r.block_index ${order}, r.id ${order}`;
  const own = Prisma.sql`
    select r.id, r.block_time, r.slot, r.block_index from receipts r
     where ${sideOf(o)} and ${periodOf(o)} ${hasLegs(o)} ${ownHasToken(o)} ${narrowedBy(o)}
           ${after(o)}
     order by ${inOrder} limit ${o.limit}`;
  const found =
    o.role === 'payer' ? own : Prisma.sql`(${own}) union all (${legOwned(o, { inOrder })})`;
  const rows = await db.$queryRaw<(Beside & { packed: string })[]>`
    select ${LISTED_RECEIPT} as packed, r.block_index as "blockIndex", r.reported_by as "reportedBy",
           r.automatic, m.attempts, m.last_error as "lastError", m.updated_at as "mintUpdatedAt", l.label
      from (select r.id from (${found}) r order by ${inOrder} limit ${o.limit}) page
      join receipts r on r.id = page.id
           ${ITS_MINT}
      left join private_labels l on l.receipt_id = page.id and l.wallet = ${o.wallet}
     order by ${inOrder}`;
  return rows.map(dashboardRow);
}

/** The many fields are spread last: with the others set after them, a row takes ten times as long. */
function dashboardRow({ packed, ...beside }: Beside & { packed: string }): DashboardRow {
  const { blockIndex, reportedBy, automatic, attempts, lastError, mintUpdatedAt, label } = beside;
  return {
    blockIndex,
    reportedBy,
    automatic,
    attempts,
    lastError,
    mintUpdatedAt,
    label,
    ...readListed(packed),
  };
}

/** Receipts of others that the wallet got a further leg of. Each is in its own list of leg owners. */
function legOwned(o: PageWish, { inOrder }: { inOrder: Prisma.Sql }): Prisma.Sql {
  return Prisma.sql`
    select r.id, r.block_time, r.slot, r.block_index
      from receipt_leg_owners l join receipts r on r.id = l.receipt_id
     where l.owner = ${o.wallet} and l.block_time >= ${o.from} and l.block_time < ${o.until}
       and r.released_at is null ${legHasToken(o)} ${legSearched(o)} ${inState(o)} ${after(o)}
     order by ${inOrder} limit ${o.limit}`;
}

function after({ cursor, order }: PageWish): Prisma.Sql {
  if (!cursor) return Prisma.empty;
  const beyond = order === 'newest' ? Prisma.sql`<` : Prisma.sql`>`;
  return Prisma.sql`and (r.block_time, r.slot, r.block_index, r.id) ${beyond}
    (${cursor.blockTime}, ${cursor.slot}, ${BigInt(cursor.blockIndex)}::bigint, ${cursor.id})`;
}

function hasLegs({ hasLegs: wanted = false }: PageWish): Prisma.Sql {
  return wanted ? Prisma.sql`and r.other_legs <> '[]'::jsonb` : Prisma.empty;
}

/** Whether the transfer of the receipt, or a further leg of the wallet, is in the token. */
function ownHasToken({ mint, wallet, role }: RowFilter): Prisma.Sql {
  if (mint === undefined) return Prisma.empty;
  const leg = JSON.stringify([role === 'payer' ? { mint } : { owner: wallet, mint }]);
  return Prisma.sql`and (r.mint is not distinct from ${mint} or r.other_legs @> ${leg}::jsonb)`;
}

/** A leg that names no mint is in the token of its receipt. */
function legHasToken({ mint, wallet }: PageWish): Prisma.Sql {
  if (mint === undefined) return Prisma.empty;
  const leg = JSON.stringify([{ owner: wallet, mint }]);
  return Prisma.sql`and (r.other_legs @> ${leg}::jsonb or (r.mint is not distinct from ${mint} and exists (
    select 1 from jsonb_array_elements(r.other_legs) leg
     where leg->>'owner' = ${wallet} and not jsonb_exists(leg, 'mint'))))`;
}

/**
 * A receipt id, signature or wallet finds exactly that. Of any other text, each word must begin a
 * word of the purpose of the receipt, its kind or its invoice, unless they are hidden. An index
 * serves that search. The text may also be in the wallet's own notes, of which there are few.
 */
function searched(o: RowFilter): Prisma.Sql {
  const text = o.search?.trim() ?? '';
  const exact = searchedExactly(o, text);
  if (exact) return exact;
  // A lexeme of receipt_words: among all receipts of the service, those of this wallet.
  const own = `'${o.role === 'seller' ? 's' : 'p'}${o.wallet}'`;
  return Prisma.sql`and r.id in (
    select h.id from receipts h
     where h.released_at is null and h.labels_hidden_at is null
       and receipt_words(h.seller, h.payer, h.service_type, h.invoice_id, h.transaction_type)
           @@ (${own}::tsquery && words_query(${text}))
    union all
    select receipt_id from private_labels where wallet = ${o.wallet} and label ilike ${like(text)})`;
}

/** The same over the few receipts that a wallet got a further leg of. */
function legSearched(o: RowFilter): Prisma.Sql {
  const text = o.search?.trim() ?? '';
  const exact = searchedExactly(o, text);
  if (exact) return exact;
  return Prisma.sql`and (
    (r.labels_hidden_at is null
     and receipt_words(r.seller, r.payer, r.service_type, r.invoice_id, r.transaction_type)
         @@ words_query(${text}))
    or exists (select 1 from private_labels
                where wallet = ${o.wallet} and receipt_id = r.id and label ilike ${like(text)}))`;
}

/** The rows that an empty text, an id, a signature or a wallet finds; null for any other text. */
function searchedExactly({ role, wallet }: RowFilter, text: string): Prisma.Sql | null {
  if (text === '') return Prisma.empty;
  if (RECEIPT_ID.test(text.toUpperCase())) return Prisma.sql`and r.id = ${text.toUpperCase()}`;
  if (isSignature(text)) return Prisma.sql`and r.tx_signature = ${text}`;
  if (!isWalletAddress(text)) return null;
  if (role === 'seller') return Prisma.sql`and r.payer = ${text}`;
  const leg = JSON.stringify([{ owner: text }]);
  return Prisma.sql`and r.payer = ${wallet} and (r.seller = ${text} or r.other_legs @> ${leg}::jsonb)`;
}

function like(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Few mints are pending or failed, so their index is used. */
function inState(o: RowFilter): Prisma.Sql {
  return o.status === undefined
    ? Prisma.empty
    : Prisma.sql`and r.id in (select id from mints where status = ${o.status})`;
}

/** Writes or (empty) deletes a wallet's own note on a receipt. Nobody else ever sees it. */
export async function setPrivateLabel(
  db: Db,
  o: { wallet: string; receiptId: string; label: string; now: Date },
): Promise<void> {
  const { wallet, receiptId, label, now: updatedAt } = o;
  const key = { wallet, receiptId };
  if (label === '') await db.privateLabel.deleteMany({ where: key });
  else
    await db.privateLabel.upsert({
      where: { wallet_receiptId: key },
      create: { ...key, label, updatedAt },
      update: { label, updatedAt },
    });
}
