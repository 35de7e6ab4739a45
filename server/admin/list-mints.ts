import {
  type AuditEntry,
  type Mint,
  type MintAttempt,
  type Payment,
  Prisma,
  type UndecidedTransaction,
} from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { invalidEntry } from '@/server/errors';
import { DROPPED, QUIET_MS } from '@/server/nft/mint-rows';

export type MintPage = { mints: Mint[]; nextCursor: string | null };

const PAGE = 50;

/** Mints of a status, or all, newest first, a page at a time. Throws 400 for a cursor that is not ours. */
export async function listMints(
  db: Db,
  o: { status: 'pending' | 'completed' | 'failed' | null; cursor: string | null },
): Promise<MintPage> {
  const after = o.cursor === null ? null : readCursor(o.cursor);
  const rows = await db.mint.findMany({
    where: {
      ...(o.status === null ? {} : { status: o.status }),
      ...(after === null
        ? {}
        : { OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }] }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: PAGE + 1,
  });
  const mints = rows.slice(0, PAGE);
  const last = rows.length > PAGE ? mints.at(-1) : undefined;
  return { mints, nextCursor: last ? `${last.createdAt.getTime()}-${last.id}` : null };
}

function readCursor(cursor: string): { at: Date; id: string } {
  const [, time, id] = /^(\d{1,15})-([0-9A-Z]{1,20})$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined) throw invalidEntry('cursor', 'is not one of a list');
  return { at: new Date(Number(time)), id };
}

export type MintStory = {
  mint: Mint;
  tries: Omit<MintAttempt, 'wire'>[];
  audit: AuditEntry[];
};

const MOST_ENTRIES = 200;

/** Everything on record about a mint: its row, each transaction that was signed for it, and who did what. */
export async function showMint(db: Db, id: string): Promise<MintStory | null> {
  const mint = await db.mint.findUnique({ where: { id } });
  if (!mint) return null;
  const [tries, audit] = await Promise.all([
    db.mintAttempt.findMany({
      where: { mintId: id },
      omit: { wire: true },
      orderBy: { number: 'asc' },
      take: MOST_ENTRIES,
    }),
    db.auditEntry.findMany({
      where: { subject: id },
      orderBy: [{ at: 'asc' }, { id: 'asc' }],
      take: MOST_ENTRIES,
    }),
  ]);
  return { mint, tries, audit };
}

export type Held = {
  mints: Pick<Mint, 'id' | 'stage' | 'lastError' | 'paid' | 'createdAt' | 'updatedAt'>[];
  payments: Pick<Payment, 'id' | 'signature' | 'payer' | 'amountMicros' | 'reason' | 'updatedAt'>[];
};

const MOST = 200;

/**
 * Everything that waits, and the reason. It lists pending mints that wait or gave no sign of life
 * for a while. It also lists payments that have bought nothing, which their payers may still use.
 * Longest waiting first.
 */
export async function listHeld(db: Db, now: Date): Promise<Held> {
  const [mints, payments] = await Promise.all([
    db.mint.findMany({
      where: {
        status: 'pending',
        OR: [
          { lastError: { not: null } },
          { updatedAt: { lt: new Date(now.getTime() - QUIET_MS) } },
        ],
      },
      select: {
        id: true,
        stage: true,
        lastError: true,
        paid: true,
        createdAt: true,
        updatedAt: true,
      },
      orderBy: [{ updatedAt: 'asc' }, { id: 'asc' }],
      take: MOST,
    }),
    db.payment.findMany({
      where: { state: 'unused' },
      select: {
        id: true,
        signature: true,
        payer: true,
        amountMicros: true,
        reason: true,
        updatedAt: true,
      },
      orderBy: [{ updatedAt: 'asc' }, { id: 'asc' }],
      take: MOST,
    }),
  ]);
  return { mints, payments };
}

/**
 * Ids of failed mints that may be tried again, oldest first. Those whose transfer or payment vanished are
 * not among them: there is nothing to mint.
 */
export async function failedMints(db: Db, limit: number): Promise<string[]> {
  const rows = await db.mint.findMany({
    where: {
      status: 'failed',
      OR: [{ lastError: null }, { lastError: { notIn: [...DROPPED] } }],
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true },
    take: limit,
  });
  return rows.map(({ id }) => id);
}

/**
 * A transaction that is closed on record and still known to a node is checked each day, and at each
 * request of the list.
 */
const SEEN_LATELY = Prisma.sql`u.seen_at > clock_timestamp() - interval '25 hours'`;

/** Whether something still waits for an undecided transaction. A row whose subject has moved on is history. */
const OPEN = Prisma.sql`
  closed_at is null and case kind
    when 'mint' then exists (
      select 1 from mint_attempts a join mints m on m.id = a.mint_id
      where a.signature = u.signature
        and (a.outcome is null or (a.outcome = 'landed' and m.final_at is null)
          or (a.outcome in ('expired', 'failed') and m.status = 'pending' and ${SEEN_LATELY})))
    when 'payment' then exists (
      select 1 from payments p where p.signature = u.signature
        and (p.state = 'sent' or (${SEEN_LATELY} and (p.state = 'failed'
          or (p.state = 'unused' and p.reason = 'payment_dropped')))))
    else exists (
      select 1 from mints m where m.id = u.subject and m.status = 'pending' and m.stage = 'requested')
  end`;

/** Undecided transactions that something waits for, longest first. */
export function listUndecided(db: Db): Promise<UndecidedTransaction[]> {
  return db.$queryRaw<UndecidedTransaction[]>(Prisma.sql`
    select signature, kind, subject, reason, since, seen_at as "seenAt",
      closed_at as "closedAt", closed_note as "closedNote"
    from undecided_transactions u where ${OPEN} order by since, signature limit ${MOST}`);
}

/** How many there are of each kind. */
export function countUndecided(db: Db): Promise<{ kind: string; count: bigint }[]> {
  return db.$queryRaw(Prisma.sql`
    select kind, count(*) as count from undecided_transactions u where ${OPEN} group by kind`);
}

/**
 * Mints that landed although another transaction had minted the same receipt: second NFTs in
 * addition to the one on record.
 */
export async function countSecondNfts(db: Db): Promise<number> {
  return db.mintAttempt.count({ where: { outcome: 'duplicate' } });
}
