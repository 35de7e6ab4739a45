import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PrismaClient } from '@/generated/prisma/client';
import type { Db } from './client';

/** How often a transaction is repeated that PostgreSQL ended to let another continue. */
const REPEATS = 3;
/** Pause before a repeat, so that transactions that met in a deadlock do not start again at the same time. */
const PAUSE_MS = { least: 20, most: 100 };

/**
 * Runs work in a transaction, and repeats it if PostgreSQL ended it because of a deadlock. A
 * migration that locks the same tables can cause one. Only for work that uses nothing but this
 * transaction, and may run several times.
 */
export async function repeatTransaction<T>(
  db: Pick<PrismaClient, '$transaction'>,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await db.$transaction(work);
    } catch (error) {
      if (!gaveWay(error) || repeat === REPEATS) throw error;
    }
    await sleep(randomInt(PAUSE_MS.least, PAUSE_MS.most + 1));
  }
}

/** Whether PostgreSQL ended the transaction for a deadlock or a write conflict: then nothing of it was written. */
function gaveWay(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  if (error.code === 'P2034') return true;
  // A raw query carries PostgreSQL's own code in its text.
  return error.code === 'P2010' && /Code: `(40P01|40001)`/.test(error.message);
}
