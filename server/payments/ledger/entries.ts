import { z } from 'zod';
import { type LedgerEntry, Prisma, type PrismaClient } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import type { Db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-clock';
import type { Movement, Party } from './read-movements';

/** The effect of a transaction, with the memos in it. */
export type NotedTransaction = {
  signature: string;
  slot: bigint;
  blockTime: Date;
  memos: readonly string[];
  movements: readonly Movement[];
};

/**
 * Writes what final transactions did to our accounts, each once. An existing row stays unchanged,
 * so that two scans at once, or one that is started again, lose and double nothing. Returns the
 * number of new rows that move something.
 */
export async function writeEntries(
  db: Db,
  transactions: readonly NotedTransaction[],
  now: Date,
): Promise<number> {
  const data = transactions.flatMap(({ movements, ...tx }) =>
    movements.map((one) => rowOf(tx, one, now)),
  );
  if (data.length === 0) return 0;
  const written = await db.ledgerEntry.createManyAndReturn({
    data,
    skipDuplicates: true,
    select: { direction: true },
  });
  await explainRecorded(
    db,
    transactions.map(({ signature }) => signature),
  );
  return written.filter(({ direction }) => direction !== 'none').length;
}

/**
 * Whether another party is on the other side. Money between two accounts of ours neither arrived
 * nor left.
 */
export function isFromOutside({ purpose }: Pick<LedgerEntry | Movement, 'purpose'>): boolean {
  return purpose !== 'internal';
}

/** Marks money that left as a refund, if that was on record before the transaction was read. */
async function explainRecorded(db: Db, signatures: readonly string[]): Promise<void> {
  await db.$executeRaw`
    with told as (
      update ledger_entries entry set purpose = 'refund'
      from ledger_refunds refund
      where entry.signature = any(${[...signatures]}::text[]) and entry.signature = refund.refund_signature
        and entry.direction = 'out' and entry.token = refund.token and entry.purpose is null
      returning entry.signature)
    update ledger_refunds set from_ledger = true
    where refund_signature in (select signature from told) and not from_ledger`;
}

function rowOf(
  tx: Omit<NotedTransaction, 'movements'>,
  one: Movement,
  now: Date,
): Prisma.LedgerEntryCreateManyInput {
  return {
    signature: tx.signature,
    account: one.account,
    wallet: one.wallet,
    mint: one.mint,
    token: one.token,
    decimals: one.decimals,
    direction: one.direction,
    amountRaw: one.amount,
    costRaw: one.cost,
    beforeRaw: one.before,
    afterRaw: one.after,
    parties: one.parties.map(({ owner, amount }) => ({ owner, amount: amount.toString() })),
    memos: [...tx.memos],
    slot: tx.slot,
    blockTime: tx.blockTime,
    purpose: one.purpose,
    createdAt: now,
  };
}

/** Those of some signatures that have a row for an account. */
export async function knownSignatures(
  db: Db,
  o: { account: string; signatures: readonly string[] },
): Promise<Set<string>> {
  const rows = await db.ledgerEntry.findMany({
    where: { account: o.account, signature: { in: [...o.signatures] } },
    select: { signature: true },
  });
  return new Set(rows.map(({ signature }) => signature));
}

/** The sum of all entries of an account up to a slot, in base units. */
export async function sumUpTo(db: Db, o: { account: string; slot: bigint }): Promise<bigint> {
  const [row] = await db.$queryRaw<{ sum: string }[]>`
    select coalesce(sum(after_raw - before_raw), 0)::text as sum
    from ledger_entries where account = ${o.account} and slot <= ${o.slot}`;
  return BigInt(row?.sum ?? '0');
}

/** Notes in which order a node lists the transactions of a slot, where that is not known yet. */
export async function notePositions(
  db: Db,
  o: { account: string; positions: ReadonlyMap<string, number> },
): Promise<void> {
  const signatures = [...o.positions.keys()];
  const positions = [...o.positions.values()];
  await db.$executeRaw`
    update ledger_entries set position = listed.position
    from unnest(${signatures}::text[], ${positions}::int[]) as listed (signature, position)
    where ledger_entries.account = ${o.account}
      and ledger_entries.signature = listed.signature and ledger_entries.position is null`;
}

/**
 * All that a transaction did to our accounts. Money that came in is first, USDC before other
 * tokens.
 */
export async function entriesOf(db: Db, signature: string): Promise<LedgerEntry[]> {
  const rows = await db.ledgerEntry.findMany({
    where: { signature, direction: { not: 'none' } },
    orderBy: { account: 'asc' },
  });
  const rank = ({ direction, token }: LedgerEntry): number =>
    (direction === 'in' ? 0 : 2) + (token === 'USDC' ? 0 : 1);
  return rows.sort((a, b) => rank(a) - rank(b));
}

const parties = z.array(z.object({ owner: z.string(), amount: z.string().transform(BigInt) }));

/** The owners on the other side of an entry. */
export function partiesOf(entry: Pick<LedgerEntry, 'parties'>): Party[] {
  return parties.parse(entry.parties);
}

/** The token that buys something; refunds of a payment in another token take nothing from it. */
const PRICED_IN = 'USDC';

/** The ledger's view of a payment, apart from its purchase. */
export type Standing = {
  /** Its refunds on record, in micro-USDC. */
  refundedMicros: bigint;
  /** Whether the operator has set it aside to refund it. */
  isHeld: boolean;
  /**
   * A transaction after the payment in which PAY_TO sent money to the payer, and for which no
   * purpose is recorded. It may be this payment's refund. Null without one.
   */
  questionedBy: string | null;
};

/**
 * Takes the payment's lock until the caller's transaction ends. A purchase and a refund both take
 * it before they read and write. So no payment is both spent and refunded, whichever processes do
 * it.
 */
export async function lockPayment(tx: Db, signature: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${signature}, 2))`;
}

/** The ledger's view of a USDC payment now, by the database's clock. */
export async function standingInLedger(
  db: Db,
  o: { signature: string; payer: string | null; slot: bigint | null },
): Promise<Standing> {
  const { signature } = o;
  const [row] = await db.$queryRaw<
    { refunded: string; held: boolean; questioned: string | null }[]
  >`
    select
      (select coalesce(sum(amount_raw), 0)::text from ledger_refunds
        where payment_signature = ${signature} and token = ${PRICED_IN}) as refunded,
      exists (select 1 from ledger_holds
        where payment_signature = ${signature} and held_until > clock_timestamp()) as held,
      ${questioning(o)} as questioned`;
  return {
    refundedMicros: BigInt(row?.refunded ?? '0'),
    isHeld: row?.held ?? false,
    questionedBy: row?.questioned ?? null,
  };
}

function questioning(o: { payer: string | null; slot: bigint | null }): Prisma.Sql {
  if (o.payer === null || o.slot === null) return Prisma.sql`null`;
  const party = JSON.stringify([{ owner: o.payer }]);
  return Prisma.sql`(select signature from ledger_entries
    where direction = 'out' and purpose is null and token = ${PRICED_IN}
      and slot >= ${o.slot} and parties @> ${party}::jsonb
    order by slot limit 1)`;
}

/** Refunds on record of a payment in one token, in base units. */
export async function refundedOf(db: Db, o: { signature: string; token: string }): Promise<bigint> {
  const { _sum } = await db.ledgerRefund.aggregate({
    where: { paymentSignature: o.signature, token: o.token },
    _sum: { amountRaw: true },
  });
  return _sum.amountRaw ?? 0n;
}

export type Withdrawn = 'recorded' | 'nothing_left' | 'is_refund';

/**
 * Records that the operator took out the money that left our wallets in a transaction, with an
 * audit row. It is then neither a difference nor a payment's refund. `nothing_left` when the ledger
 * has no debit of that transaction; `is_refund` when it is on record as one. Safe to repeat.
 */
export function recordWithdrawal(
  db: PrismaClient,
  o: { signature: string; note: string | null; actor?: string },
): Promise<Withdrawn> {
  const { signature, note } = o;
  return db.$transaction(async (tx) => {
    const out = await tx.ledgerEntry.findMany({ where: { signature, direction: 'out' } });
    if (out.some(({ purpose }) => purpose === 'refund')) return 'is_refund';
    const { count } = await tx.ledgerEntry.updateMany({
      where: { signature, direction: 'out', purpose: null },
      data: { purpose: 'withdrawal' },
    });
    if (count === 0)
      return out.some(({ purpose }) => purpose === 'withdrawal') ? 'recorded' : 'nothing_left';
    await writeAudit(tx, {
      at: await databaseNow(tx),
      actor: o.actor ?? 'admin',
      action: 'ledger.withdraw',
      subject: signature,
      detail: { entries: count, note },
    });
    return 'recorded';
  });
}
