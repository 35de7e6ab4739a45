import type { Db } from '@/server/db/client';

/**
 * Records the key that signs items from now on and ends the use of the others, so that a reader can tell
 * which of our keys could have signed an item. Safe to repeat and from two processes at once:
 * it is one statement, and it takes its rows in one order. A key taken up again is in use again.
 */
export async function noteStorageKey(db: Db, publicKey: string, now: Date): Promise<void> {
  await db.$executeRaw`
    insert into issuer_keys (kind, public_key, used_from, used_until)
    select 'storage', key, ${now}, until
    from (
      select public_key as key, ${now}::timestamptz as until
      from issuer_keys
      where kind = 'storage' and public_key <> ${publicKey} and used_until is null
      union all
      select ${publicKey}, null
    ) keys
    order by key
    on conflict (kind, public_key) do update set used_until = excluded.used_until`;
}
