import { Prisma, type UndecidedTransaction } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

const MOST = 200;

/** What still waits for an undecided transaction: a row whose subject went on is history. */
const OPEN = Prisma.sql`
  closed_at is null and case kind
    when 'mint' then exists (
      select 1 from mint_attempts a join mints m on m.id = a.mint_id
      where a.signature = u.signature
        and (a.outcome is null or (a.outcome = 'landed' and m.final_at is null)))
    when 'payment' then exists (
      select 1 from payments p where p.signature = u.signature and p.state = 'sent')
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

/** Mints that landed although another transaction had minted the same receipt: NFTs beside the one on record. */
export async function countSecondNfts(db: Db): Promise<number> {
  return db.mintAttempt.count({ where: { outcome: 'duplicate' } });
}
