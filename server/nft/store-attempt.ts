import { Prisma, type MintAttempt } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { quietUntil } from './mint-state';
import type { SignedTransaction } from './sign-transaction';

/**
 * Stores a signed mint transaction and moves its mint to `signed`, in one statement: only the holder of
 * the lease stores what it signed. Null, with nothing written, for anyone else. Throws when the mint
 * has a transaction that may still land or landed: the database takes no second one.
 */
export async function storeAttempt(o: {
  db: Db;
  mintId: string;
  fence: bigint;
  tree: string;
  collection: string | null;
  signed: SignedTransaction;
  now: Date;
}): Promise<MintAttempt | null> {
  const { signed, now } = o;
  const { signature, wire, lastValidBlockHeight } = signed;
  const [row] = await o.db.$queryRaw<{ id: bigint; number: number }[]>(Prisma.sql`
    with moved as (
      update mints
      set stage = 'signed', last_error = null, updated_at = ${now}, redrive_at = ${quietUntil(now)},
        collection = ${o.collection}
      where id = ${o.mintId} and fence = ${o.fence} and status = 'pending'
        and stage = 'metadata_stored'
      returning id
    )
    insert into mint_attempts
      (mint_id, number, tree, signature, wire, last_valid_block_height, created_at)
    select
      moved.id,
      1 + (select count(*) from mint_attempts earlier where earlier.mint_id = moved.id)::int,
      ${o.tree}, ${signature}, ${wire}, ${lastValidBlockHeight}, ${now}
    from moved
    returning id, number`);
  if (!row) return null;
  return {
    ...row,
    mintId: o.mintId,
    tree: o.tree,
    signature,
    wire,
    lastValidBlockHeight,
    outcome: null,
    error: null,
    sentAt: null,
    createdAt: now,
    settledAt: null,
    costLamports: null,
  };
}
