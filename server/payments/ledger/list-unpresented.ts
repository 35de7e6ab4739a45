import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { ServiceError } from '@/server/errors';
import { partiesOf } from './entries';

/** Something that arrived in one token, that nobody presented, and of which something is left. */
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
  /** Owners that gave it; empty where the transaction does not show them. */
  payers: string[];
  isHeld: boolean;
};
export type UnpresentedPage = { arrived: Unpresented[]; nextCursor: string | null };

const PAGE = 100;

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
 * A page of what arrived at our wallets in tokens of the table and in SOL without being presented, oldest first.
 * What was given back in whole is left out. Throws 400 for a cursor that is none of ours.
 */
export async function listUnpresented(
  db: Pick<Db, '$queryRaw'>,
  o: { cursor: string | null },
): Promise<UnpresentedPage> {
  const rows = await db.$queryRaw<Row[]>`
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
  const arrived = rows.slice(0, PAGE).map(describe);
  const last = rows.length > PAGE ? arrived.at(-1) : undefined;
  return {
    arrived,
    nextCursor: last ? `${last.slot}-${last.signature}-${last.token}` : null,
  };
}

function describe(row: Row): Unpresented {
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
    isHeld: row.held,
  };
}

function after(cursor: string | null): Prisma.Sql {
  if (cursor === null) return Prisma.empty;
  const [, slot, signature, token] =
    /^(\d{1,18})-([1-9A-HJ-NP-Za-km-z]{1,90})-(\w{1,12})$/.exec(cursor) ?? [];
  if (slot === undefined || signature === undefined || token === undefined)
    throw new ServiceError('invalid_request', 'Invalid request: cursor: is none of a list', {
      details: { cursor: 'is none of a list' },
    });
  return Prisma.sql`and (entry.slot, entry.signature, entry.token) > (${BigInt(slot)}, ${signature}, ${token})`;
}
