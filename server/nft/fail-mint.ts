import type { Db } from '@/server/db/client';
import type { DroppedCode, Fenced } from './mint-state';

/**
 * Ends a pending mint because its transfer or payment vanished. `fence` is left out where the caller
 * holds no lease; a mint that has a signed transaction is never ended this way.
 */
export async function failMint(o: {
  db: Db;
  id: string;
  fence?: bigint;
  code: DroppedCode;
  now: Date;
}): Promise<Fenced> {
  const { count } = await o.db.mint.updateMany({
    where: {
      id: o.id,
      status: 'pending',
      tries: { none: { OR: [{ outcome: null }, { outcome: 'landed' }] } },
      ...(o.fence === undefined ? {} : { fence: o.fence }),
    },
    data: { status: 'failed', lastError: o.code, updatedAt: o.now },
  });
  return count === 1 ? 'done' : 'lost_lease';
}
