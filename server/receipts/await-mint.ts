import { setTimeout as sleep } from 'node:timers/promises';
import type { Mint } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

const POLL_MS = 250;

/** Polls a mint until `until` holds or the time is up; returns the last state seen. */
export async function awaitMint(
  db: Db,
  input: { id: string; waitS: number; until: (mint: Mint) => boolean },
): Promise<Mint | null> {
  const end = performance.now() + input.waitS * 1000;
  for (;;) {
    const mint = await db.mint.findUnique({ where: { id: input.id } });
    if (!mint || input.until(mint) || performance.now() >= end) return mint;
    await sleep(Math.min(POLL_MS, Math.max(1, end - performance.now())));
  }
}
