import type { Mint, Payment } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { QUIET_MS } from '@/server/nft/mint-state';

export type Held = {
  mints: Pick<Mint, 'id' | 'stage' | 'lastError' | 'paid' | 'createdAt' | 'updatedAt'>[];
  payments: Pick<Payment, 'id' | 'signature' | 'payer' | 'amountMicros' | 'reason' | 'updatedAt'>[];
};

const MOST = 200;

/**
 * What waits and for what: pending mints that say so or gave no sign of life for a while, and payments that have bought
 * nothing, which their payers may still use. Longest waiting first.
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
        ...{ id: true, stage: true, lastError: true, paid: true },
        ...{ createdAt: true, updatedAt: true },
      },
      orderBy: [{ updatedAt: 'asc' }, { id: 'asc' }],
      take: MOST,
    }),
    db.payment.findMany({
      where: { state: 'unused' },
      select: {
        ...{ id: true, signature: true, payer: true, amountMicros: true },
        ...{ reason: true, updatedAt: true },
      },
      orderBy: [{ updatedAt: 'asc' }, { id: 'asc' }],
      take: MOST,
    }),
  ]);
  return { mints, payments };
}
