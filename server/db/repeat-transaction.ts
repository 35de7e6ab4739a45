import type { PrismaClient } from '@/generated/prisma/client';
import type { Db } from './client';

/** Times that a transaction is begun again which PostgreSQL ended to let another go on. */
const REPEATS = 3;
/** Prisma's code for a deadlock or a write conflict. Nothing of the transaction was written. */
const GAVE_WAY = 'P2034';

/**
 * Runs work in a transaction, and begins it again when PostgreSQL chose it to end a deadlock, as with a migration that
 * locks the same tables. Only for work that does nothing but ask this transaction, and may run several times.
 */
export async function repeatTransaction<T>(
  db: Pick<PrismaClient, '$transaction'>,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await db.$transaction(work);
    } catch (error) {
      const gaveWay = error instanceof Error && 'code' in error && error.code === GAVE_WAY;
      if (!gaveWay || repeat === REPEATS) throw error;
    }
  }
}
