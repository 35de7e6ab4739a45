import { z } from 'zod';
import type { Db } from '@/server/db/client';
import { writeAudit } from '@/server/db/audit';

/** Something that was paid for, of which the payment is not on record. */
export type Purchase = {
  subjectId: string;
  /** Wallets one of which paid. */
  payers: readonly string[];
  priceMicros: bigint;
  issuedAt: Date;
};

const ACTION = 'purchase.rebuild';
const row = z.object({
  subject: z.string(),
  detail: z.object({
    payers: z.string().transform((text) => text.split(' ')),
    price_micros: z.string().transform(BigInt),
    issued_at: z.iso.datetime().transform((text) => new Date(text)),
  }),
});

/**
 * Notes what a rebuild brought back, in the transaction that does so. A rebuild that is killed before it comes to
 * the payments finds the note when it is run again, so that the payment is not taken for one that bought nothing.
 * What costs nothing is not noted.
 */
export async function noteRebuiltPurchase(db: Db, o: Purchase & { now: Date }): Promise<void> {
  if (o.priceMicros === 0n) return;
  if ((await db.auditEntry.count({ where: { action: ACTION, subject: o.subjectId } })) > 0) return;
  await writeAudit(db, {
    at: o.now,
    actor: 'admin',
    action: ACTION,
    subject: o.subjectId,
    detail: {
      payers: o.payers.join(' '),
      price_micros: o.priceMicros.toString(),
      issued_at: o.issuedAt.toISOString(),
    },
  });
}

/** What rebuilds brought back and no payment on record bought. */
export async function unpaidRebuiltPurchases(db: Db): Promise<Purchase[]> {
  const rows = await db.$queryRaw<unknown[]>`
    select distinct on (subject) subject, detail from audit_log noted
    where action = ${ACTION}
      and not exists (select from payments where subject_id = noted.subject and state = 'used')
    order by subject, at`;
  return rows.map((one) => {
    const { subject, detail } = row.parse(one);
    return {
      subjectId: subject,
      payers: detail.payers,
      priceMicros: detail.price_micros,
      issuedAt: detail.issued_at,
    };
  });
}
