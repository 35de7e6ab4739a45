import { describe, expect, it } from 'vitest';
import type { Mint } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { awaitMint } from './find-receipt';

/** A table of one kind of mint whose status the test turns. */
function table(status: string) {
  const rows = { status, polls: 0, completedAtPoll: Infinity, down: false };
  const rowOf = (id: string) => ({ id, status: rows.status }) as Mint;
  const db = {
    mint: {
      findUnique: async ({ where }: { where: { id: string } }) =>
        where.id === 'NONE' ? null : rowOf(where.id),
      findMany: async ({ where }: { where: { id: { in: string[] } } }) => {
        rows.polls += 1;
        if (rows.polls >= rows.completedAtPoll) rows.status = 'completed';
        if (rows.down) throw new Error('down');
        return where.id.in.map(rowOf);
      },
    },
  } as unknown as Db;
  const wait = (id: string, waitS: number) =>
    awaitMint(db, { id, waitS, until: (row) => row.status !== 'pending' });
  return { rows, wait };
}

describe('waiting for a mint', () => {
  it('ends at once for one that is there already, or that does not exist', async () => {
    expect(await table('completed').wait('A', 30)).toMatchObject({ status: 'completed' });
    expect(await table('pending').wait('NONE', 30)).toBeNull();
  });

  it('ends for all callers when the mint changes, and costs one query a poll for any number of them', async () => {
    const { rows, wait } = table('pending');
    const all = Promise.all(Array.from({ length: 400 }, (_, n) => wait(`R${n}`, 30)));
    rows.completedAtPoll = 3;
    const seen = await all;
    expect(new Set(seen.map((row) => row?.status))).toEqual(new Set(['completed']));
    expect(seen.map((row) => row?.id)).toEqual(seen.map((_, n) => `R${n}`));
    expect(rows.polls).toBe(3);
  });

  it('ends with the current state when the time is up', async () => {
    expect(await table('pending').wait('A', 0.3)).toMatchObject({ status: 'pending' });
  });

  it('gives the state of now to those beyond the limit', async () => {
    const { rows, wait } = table('pending');
    const kept = Promise.all(Array.from({ length: 500 }, () => wait('A', 2)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await wait('B', 600)).toMatchObject({ status: 'pending' });
    rows.status = 'failed';
    await kept;
  });

  it('fails for all when the database does, and works again after', async () => {
    const { rows, wait } = table('pending');
    rows.down = true;
    await expect(wait('A', 5)).rejects.toThrow('down');
    Object.assign(rows, { down: false, status: 'completed' });
    expect(await wait('A', 5)).toMatchObject({ status: 'completed' });
  });
});
