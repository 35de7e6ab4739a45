import type { Mint } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { ServiceError } from '@/server/errors';

export type MintPage = { mints: Mint[]; nextCursor: string | null };

const PAGE = 50;

/** Mints of a status, or all, newest first, a page at a time. Throws 400 for a cursor that is none of ours. */
export async function listMints(
  db: Db,
  o: { status: 'pending' | 'completed' | 'failed' | null; cursor: string | null },
): Promise<MintPage> {
  const after = o.cursor === null ? null : readCursor(o.cursor);
  const rows = await db.mint.findMany({
    where: {
      ...(o.status === null ? {} : { status: o.status }),
      ...(after === null
        ? {}
        : { OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }] }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: PAGE + 1,
  });
  const mints = rows.slice(0, PAGE);
  const last = rows.length > PAGE ? mints.at(-1) : undefined;
  return { mints, nextCursor: last ? `${last.createdAt.getTime()}-${last.id}` : null };
}

function readCursor(cursor: string): { at: Date; id: string } {
  const [, time, id] = /^(\d{1,15})-([0-9A-Z]{1,20})$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined)
    throw new ServiceError('invalid_request', 'Invalid request: cursor: is none of a list', {
      details: { cursor: 'is none of a list' },
    });
  return { at: new Date(Number(time)), id };
}
