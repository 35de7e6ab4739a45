import type { Db } from '@/server/db/client';
import { quietUntil, type Fenced } from './mint-state';
import { writeFenced } from './write-fenced';

/** Notes what a mint waits for. Waiting is not an attempt: nothing is counted. */
export async function noteWaiting(o: {
  db: Db;
  id: string;
  fence: bigint;
  reason: string;
  now: Date;
}): Promise<Fenced> {
  const noted = await writeFenced(o, { lastError: o.reason, updatedAt: o.now });
  // Whoever waits is alive; but a longer spacing that the sweep chose is kept.
  const redriveAt = quietUntil(o.now);
  await writeFenced(o, { redriveAt }, { redriveAt: { lt: redriveAt } });
  return noted;
}
