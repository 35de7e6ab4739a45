import type { Db } from '@/server/db/client';
import { writeFenced } from './write-fenced';
import type { Fenced } from './mint-state';

/** Gives the lease back. Nothing happens when it had passed to someone else. */
export function releaseMint(o: { db: Db; id: string; fence: bigint }): Promise<Fenced> {
  return writeFenced(o, { leaseOwner: null, leaseUntil: null });
}
