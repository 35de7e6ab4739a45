import type { Db } from '@/server/db/client';

/**
 * The use of a key: it signs as verified creator of NFTs, or signs the files on permanent storage.
 */
export type KeyKind = 'creator' | 'storage';

export type IssuerKeyUse = { publicKey: string; usedFrom: Date; usedUntil: Date | null };

/** More keys than any service uses. It is only a bound. */
const MOST_KEYS = 1000;

/**
 * Every key of a kind and when it was in use. Receipts are checked against these rows for ever, so none is
 * ever deleted.
 */
export async function listIssuerKeys(
  db: Db,
  { kind, order }: { kind: KeyKind; order: 'newest' | 'oldest' },
): Promise<IssuerKeyUse[]> {
  return db.issuerKey.findMany({
    where: { kind },
    orderBy: [{ usedFrom: order === 'newest' ? 'desc' : 'asc' }, { publicKey: 'asc' }],
    take: MOST_KEYS,
    select: { publicKey: true, usedFrom: true, usedUntil: true },
  });
}

/**
 * Records the key that signs from now on and ends the use of the others of its kind. So a reader
 * knows which of our keys could have signed what. Safe to repeat and from two processes at once. A
 * key that is used again is in use again.
 */
export async function noteIssuerKey(
  db: Db,
  { kind, publicKey, now }: { kind: KeyKind; publicKey: string; now: Date },
): Promise<void> {
  // Raw: in one statement, which takes its rows in one order, so that processes that start at once never block each other.
  await db.$executeRaw`
    insert into issuer_keys (kind, public_key, used_from, used_until)
    select ${kind}, key, ${now}, until
    from (
      select public_key as key, ${now}::timestamptz as until
      from issuer_keys
      where kind = ${kind} and public_key <> ${publicKey} and used_until is null
      union all
      select ${publicKey}, null
    ) keys
    order by key
    on conflict (kind, public_key) do update set used_until = excluded.used_until`;
}

/**
 * Ends the use of a key at a time, or at its earlier end, and records that others may have it. Null for a
 * key that was never ours. In the caller's transaction.
 */
export async function endRevokedKey(
  tx: Db,
  o: { publicKey: string; asked: Date; now: Date },
): Promise<{ from: Date; kinds: string[] } | null> {
  const { publicKey } = o;
  const keys = await tx.issuerKey.findMany({ where: { publicKey } });
  const [first] = keys;
  if (!first) return null;
  const ends = keys.flatMap(({ usedUntil }) => (usedUntil === null ? [] : [usedUntil.getTime()]));
  const from = new Date(Math.min(o.asked.getTime(), ...ends));
  await tx.issuerKey.updateMany({
    where: { publicKey },
    data: { usedUntil: from, revokedAt: first.revokedAt ?? o.now },
  });
  return { from, kinds: keys.map(({ kind }) => kind) };
}

/** When each revoked key was put on record as such. */
export async function listRevocations(db: Db): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.issuerKey.findMany({
    where: { revokedAt: { not: null } },
    select: { publicKey: true, revokedAt: true },
  });
  return new Map(
    rows.flatMap(({ publicKey, revokedAt }): [string, Date][] =>
      revokedAt === null ? [] : [[publicKey, revokedAt]],
    ),
  );
}
