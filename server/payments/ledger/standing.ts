import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

/** The token that buys something; refunds of a payment in another token take nothing from it. */
const PRICED_IN = 'USDC';

/** What the ledger says of a payment beside what it bought. */
export type Standing = {
  /** What was given back of it and is on record, in micro-USDC. */
  refundedMicros: bigint;
  /** Whether the operator has set it aside to give it back. */
  isHeld: boolean;
  /**
   * A transaction in which money went from PAY_TO to the payer after the payment, and of which nobody has said
   * what it was for: until then it may have been this payment's refund. Null without one.
   */
  questionedBy: string | null;
};

/**
 * Takes the payment's lock until the caller's transaction ends. A purchase and a refund both take it before they
 * look and write, so that one payment is never bought with and given back, by whichever processes.
 */
export async function lockPayment(tx: Db, signature: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${signature}, 2))`;
}

/** What the ledger says of a USDC payment now, by the database's clock. */
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

/** What was given back of a payment in one token and is on record, in base units. */
export async function refundedOf(db: Db, o: { signature: string; token: string }): Promise<bigint> {
  const { _sum } = await db.ledgerRefund.aggregate({
    where: { paymentSignature: o.signature, token: o.token },
    _sum: { amountRaw: true },
  });
  return _sum.amountRaw ?? 0n;
}
