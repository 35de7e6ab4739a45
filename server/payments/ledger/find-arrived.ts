import { USDC_DECIMALS } from '@quittance/verify/money';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { type LedgerEntry, type Payment, Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { AGREEING_NODES, NodesDiffer } from '@/server/chain/node-statuses';
import { invalidEntry } from '@/server/errors';
import { type Credit, leftOf } from '../record-refund';
import { entriesOf, isFromOutside, partiesOf } from './entries';
import { type NoteContext, shownByTwo } from './note-transactions';
import type { Movement } from './read-movements';

/** The amount that one transaction brought us in one token, and how much of it is left. */
export type Arrived = {
  credit: Credit;
  wallet: string;
  mint: string | null;
  decimals: number;
  slot: bigint;
  blockTime: Date;
  /** Owners that gave it; empty where the transaction does not show them. */
  payers: string[];
  refundedRaw: bigint;
  leftRaw: bigint;
};

/**
 * The amounts that a transaction brought us, by token, USDC first, whether or not it was presented.
 * They come from the ledger, or from the row of a payment that the ledger does not have yet. Money
 * between accounts of ours did not arrive. One node's word is enough for its payers here: see
 * `settlePayers`.
 */
export async function findArrived(
  db: Db,
  o: { signature: string; row: Payment | null },
): Promise<Arrived[]> {
  const { signature, row } = o;
  const entries = await entriesOf(db, signature);
  const byToken = new Map<string, LedgerEntry[]>();
  for (const entry of entries)
    if (entry.direction === 'in' && isFromOutside(entry))
      byToken.set(entry.token, [...(byToken.get(entry.token) ?? []), entry]);
  const arrived = await Promise.all(
    [...byToken.values()].map((some) => describe(db, { some, row, signature })),
  );
  const found = arrived.filter((one) => one !== null);
  if (found.length > 0 || row === null) return found;
  const noted = await ofRow(db, row);
  return noted ? [noted] : [];
}

async function describe(
  db: Db,
  o: { some: LedgerEntry[]; row: Payment | null; signature: string },
): Promise<Arrived | null> {
  const [first] = o.some;
  if (!first) return null;
  const { token, wallet, mint, decimals, slot, blockTime } = first;
  const amountRaw = o.some.reduce((sum, entry) => sum + entry.amountRaw, 0n);
  const credit = { signature: o.signature, token, amountRaw };
  const leftRaw = await leftOf(db, { row: o.row, credit });
  const ofChain = [...new Set(o.some.flatMap((entry) => partiesOf(entry).map((one) => one.owner)))];
  return {
    credit,
    wallet,
    mint,
    decimals,
    slot,
    blockTime,
    payers: payersBy(ofChain, { token, row: o.row }),
    refundedRaw: await refundedIn(db, { row: o.row, credit }),
    leftRaw,
  };
}

/** Of several owners, the row names the payer. If the chain shows only others, the row is wrong. */
function payersBy(ofChain: string[], o: { token: string; row: Payment | null }): string[] {
  const noted = payerOnRow(o);
  const isShown = noted !== null && (ofChain.length === 0 || ofChain.includes(noted));
  return isShown ? [noted] : ofChain;
}

function payerOnRow({ token, row }: { token: string; row: Payment | null }): string | null {
  return token === 'USDC' ? (row?.payer ?? null) : null;
}

/**
 * A payment that we settle has no slot until it landed. No block that moves anything is in slot 0.
 */
function slotOnRow({ slot }: Pick<Payment, 'slot'>): bigint {
  return slot ?? 0n;
}

/** Whether its payers, amount or slot rest on one node's word, without a row that confirms them. */
function isOneWord({ credit, payers, slot }: Arrived, row: Payment | null): boolean {
  const noted = payerOnRow({ token: credit.token, row });
  const isOnRow =
    noted !== null &&
    payers.includes(noted) &&
    row?.amountMicros === credit.amountRaw &&
    slotOnRow(row) === slot;
  return payers.length > 0 && !isOnRow;
}

/**
 * The same with payers that may receive a refund. The ledger is one node's word. Unless the row has
 * the same payer, amount and slot, two nodes must agree, if there are two. Throws NodesDiffer where
 * nodes contradict each other or the ledger, and RpcUnavailable if too few answer.
 */
export async function settlePayers(
  ctx: NoteContext,
  o: { arrived: readonly Arrived[]; signature: string; row: Payment | null },
): Promise<readonly Arrived[]> {
  const { arrived, signature, row } = o;
  const isDoubtful = arrived.some((one) => isOneWord(one, row));
  if (ctx.rpc.nodes < AGREEING_NODES || !isDoubtful) return arrived;
  const { slot, movements } = await shownByTwo(ctx, { signature, direction: 'in' });
  return arrived.map((one) => {
    const owners = ownersShown(movements, one.credit);
    return { ...one, slot, payers: payersBy(owners, { token: one.credit.token, row }) };
  });
}

/** The owners that gave the money. Throws NodesDiffer if the amount differs from the ledger's. */
function ownersShown(
  shown: readonly Movement[],
  { signature, token, amountRaw }: Credit,
): string[] {
  const given = shown.filter((movement) => movement.token === token);
  const sum = given.reduce((total, { amount }) => total + amount, 0n);
  if (sum !== amountRaw)
    throw new NodesDiffer(
      `Two nodes show another amount of ${token} than the ledger: ${signature}`,
    );
  return [...new Set(given.flatMap(({ parties }) => parties.map(({ owner }) => owner)))];
}

async function ofRow(db: Db, row: Payment): Promise<Arrived | null> {
  const { signature, amountMicros, payTo, payer, blockTime, createdAt } = row;
  if (signature === null || amountMicros === null) return null;
  const credit = { signature, token: 'USDC', amountRaw: amountMicros };
  return {
    credit,
    wallet: payTo,
    mint: null,
    decimals: USDC_DECIMALS,
    slot: slotOnRow(row),
    blockTime: blockTime ?? createdAt,
    payers: payer === null ? [] : [payer],
    refundedRaw: await refundedIn(db, { row, credit }),
    leftRaw: await leftOf(db, { row, credit }),
  };
}

async function refundedIn(db: Db, o: { row: Payment | null; credit: Credit }): Promise<bigint> {
  const { _sum } = await db.ledgerRefund.aggregate({
    where: { paymentSignature: o.credit.signature, token: o.credit.token },
    _sum: { amountRaw: true },
  });
  return _sum.amountRaw ?? (o.row?.state === 'refunded' ? o.credit.amountRaw : 0n);
}

/** Money that arrived in one token, was never presented, and is not fully refunded. */
export type Unpresented = {
  signature: string;
  wallet: string;
  token: string;
  decimals: number;
  amountRaw: bigint;
  /** Less its refunds on record. */
  leftRaw: bigint;
  slot: bigint;
  blockTime: Date;
  /** Owners that gave it; empty where the transaction does not show them, or too few nodes do. */
  payers: string[];
  /** Whether two nodes show it alike, if there are two. A refund must not depend on one node. */
  isWitnessed: boolean;
  isHeld: boolean;
};
export type UnpresentedPage = { arrived: Unpresented[]; nextCursor: string | null };

const PAGE = 100;
/** Transactions of a page that are asked for at once. */
const WIDTH = 10;

type Row = {
  signature: string;
  wallet: string;
  token: string;
  decimals: number;
  amount: string;
  refunded: string;
  slot: bigint;
  block_time: Date;
  parties: Prisma.JsonValue;
  held: boolean;
};

/**
 * A page of money that arrived at our wallets in tokens of the table and in SOL without being
 * presented, oldest first. Fully refunded payments are left out. Throws 400 for a cursor that is
 * not ours.
 */
export async function listUnpresented(
  ctx: NoteContext,
  o: { cursor: string | null },
): Promise<UnpresentedPage> {
  const rows = await ctx.db.$queryRaw<Row[]>`
    select entry.slot, entry.signature, entry.token, min(entry.wallet) as wallet,
      max(entry.decimals) as decimals, sum(entry.amount_raw)::text as amount,
      min(entry.block_time) as block_time,
      (array_agg(entry.parties order by entry.account))[1] as parties,
      (select coalesce(sum(amount_raw), 0)::text from ledger_refunds
        where payment_signature = entry.signature and token = entry.token) as refunded,
      exists (select 1 from ledger_holds
        where payment_signature = entry.signature and held_until > clock_timestamp()) as held
    from ledger_entries entry
    where entry.direction = 'in' and entry.purpose is distinct from 'internal'
      and not exists (select 1 from payments where payments.signature = entry.signature)
      ${after(o.cursor)}
    group by entry.slot, entry.signature, entry.token
    having sum(entry.amount_raw) > (select coalesce(sum(amount_raw), 0) from ledger_refunds
      where payment_signature = entry.signature and token = entry.token)
    order by entry.slot, entry.signature, entry.token
    limit ${PAGE + 1}`;
  const arrived: Unpresented[] = [];
  for (let at = 0; at < Math.min(rows.length, PAGE); at += WIDTH) {
    const some = rows.slice(at, Math.min(at + WIDTH, PAGE));
    arrived.push(...(await Promise.all(some.map((row) => witness(ctx, describeUnpresented(row))))));
  }
  const last = rows.length > PAGE ? arrived.at(-1) : undefined;
  return {
    arrived,
    nextCursor: last ? `${last.slot}-${last.signature}-${last.token}` : null,
  };
}

function describeUnpresented(row: Row): Unpresented {
  const amountRaw = BigInt(row.amount);
  return {
    signature: row.signature,
    wallet: row.wallet,
    token: row.token,
    decimals: row.decimals,
    amountRaw,
    leftRaw: amountRaw - BigInt(row.refunded),
    slot: row.slot,
    blockTime: row.block_time,
    payers: partiesOf(row).map(({ owner }) => owner),
    isWitnessed: true,
    isHeld: row.held,
  };
}

/** The same as two nodes show it, if there are two. */
async function witness(ctx: NoteContext, noted: Unpresented): Promise<Unpresented> {
  if (ctx.rpc.nodes < AGREEING_NODES) return noted;
  try {
    const { signature } = noted;
    const { movements } = await shownByTwo(ctx, { signature, direction: 'in' });
    return { ...noted, payers: ownersShown(movements, noted) };
  } catch (error) {
    if (isNodeSilence(error)) return { ...noted, payers: [], isWitnessed: false };
    throw error;
  }
}

function after(cursor: string | null): Prisma.Sql {
  if (cursor === null) return Prisma.empty;
  const [, slot, signature, token] =
    /^(\d{1,18})-([1-9A-HJ-NP-Za-km-z]{1,90})-(\w{1,12})$/.exec(cursor) ?? [];
  if (slot === undefined || signature === undefined || token === undefined)
    throw invalidEntry('cursor', 'is not one of a list');
  return Prisma.sql`and (entry.slot, entry.signature, entry.token) > (${BigInt(slot)}, ${signature}, ${token})`;
}
