import { setTimeout as sleep } from 'node:timers/promises';
import type { Mint } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { isStopping } from '@/server/stopping';

const POLL_MS = 250;
/** Callers this process keeps waiting at once; one more gets the state of now and may ask again. */
const MOST_WAITING = 500;

type Waiter = {
  id: string;
  until: (mint: Mint) => boolean;
  /** On the monotonic clock, in milliseconds. */
  endsAt: number;
  resolve: (mint: Mint | null) => void;
  reject: (error: unknown) => void;
};

const waiters = new WeakMap<Db, Set<Waiter>>();

/**
 * Waits until `until` holds for a mint, the time is up or the process is to end; gives the last state
 * seen. All who wait share one query every quarter of a second, however many they are.
 */
export async function awaitMint(
  db: Db,
  input: { id: string; waitS: number; until: (mint: Mint) => boolean },
): Promise<Mint | null> {
  const { id, until } = input;
  const mint = await db.mint.findUnique({ where: { id } });
  const waiting = waiters.get(db) ?? new Set<Waiter>();
  if (!mint || until(mint) || input.waitS <= 0 || waiting.size >= MOST_WAITING) return mint;
  waiters.set(db, waiting);
  return new Promise((resolve, reject) => {
    const endsAt = performance.now() + input.waitS * 1000;
    waiting.add({ id, until, endsAt, resolve, reject });
    if (waiting.size === 1) void poll(db, waiting);
  });
}

async function poll(db: Db, waiting: Set<Waiter>): Promise<void> {
  while (waiting.size > 0) {
    await sleep(POLL_MS);
    const asked = [...waiting];
    try {
      const ids = [...new Set(asked.map(({ id }) => id))];
      const rows = await db.mint.findMany({ where: { id: { in: ids } } });
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const waiter of asked) {
        const row = byId.get(waiter.id) ?? null;
        const isInTime = performance.now() < waiter.endsAt && !isStopping();
        if (row && !waiter.until(row) && isInTime) continue;
        waiting.delete(waiter);
        waiter.resolve(row);
      }
    } catch (error) {
      for (const waiter of asked) {
        waiting.delete(waiter);
        waiter.reject(error);
      }
    }
  }
}
