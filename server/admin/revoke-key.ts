import type { PrismaClient } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import { databaseNow } from '@/server/db/database-clock';
import { SettingsError, type Env } from '@/server/env';
import type { Db } from '@/server/db/client';

/** What a revocation did. `from`: the last instant at which the key counts. */
export type Revoked = {
  state: 'revoked';
  from: Date;
  kinds: string[];
  /** Trees and collections of the key, which take no more mints. */
  retired: string[];
  /** Receipts and statements that it minted or stored after `from`, or may have: they no longer verify. */
  doubtful: string[];
};

/**
 * Puts on record that a creator or storage key may be in other hands: what it signed after `from` (now, where it
 * is null) does not verify, its trees and collections take no more mints, and no process starts with it again.
 * May be repeated; the end of a key is only ever moved to an earlier time. Refused for a key that was never ours
 * and for a time in the future.
 */
export async function revokeKey(
  db: PrismaClient,
  o: { publicKey: string; from: Date | null; actor: string },
): Promise<Revoked | { state: 'refused'; why: string }> {
  const { publicKey } = o;
  const now = await databaseNow(db);
  const asked = o.from ?? now;
  if (asked > now) return { state: 'refused', why: 'the time is in the future' };
  return db.$transaction(async (tx) => {
    const keys = await tx.issuerKey.findMany({ where: { publicKey } });
    const [first] = keys;
    if (!first) return { state: 'refused', why: `${publicKey} was never a key of this service` };
    const ends = keys.flatMap(({ usedUntil }) => (usedUntil === null ? [] : [usedUntil.getTime()]));
    const from = new Date(Math.min(asked.getTime(), ...ends));
    await tx.issuerKey.updateMany({
      where: { publicKey },
      data: { usedUntil: from, revokedAt: first.revokedAt ?? now },
    });
    const retired = await retireAccounts(tx, { minter: publicKey, from });
    const doubtful = await listDoubtful(tx, { publicKey, from });
    await writeAudit(tx, {
      at: now,
      actor: o.actor,
      action: 'keys.revoke',
      subject: publicKey,
      detail: { from: from.toISOString(), doubtful: doubtful.length },
    });
    return { state: 'revoked', from, kinds: keys.map(({ kind }) => kind), retired, doubtful };
  });
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

/** Throws SettingsError when a key of the settings was revoked. */
export async function refuseRevokedKeys(
  db: Db,
  settings: Pick<Env, 'minter' | 'storage'>,
): Promise<void> {
  const names = new Map([
    [settings.minter.publicKey, 'MINTER_KEY'],
    [settings.storage.publicKey, 'STORAGE_KEY'],
  ]);
  const revoked = await db.issuerKey.findMany({
    where: { publicKey: { in: [...names.keys()] }, revokedAt: { not: null } },
  });
  const lines = revoked.map(
    ({ publicKey }) =>
      `${names.get(publicKey) ?? publicKey} is the revoked key ${publicKey}: set a new one`,
  );
  if (lines.length > 0) throw new SettingsError([...new Set(lines)]);
}

async function retireAccounts(db: Db, o: { minter: string; from: Date }): Promise<string[]> {
  const open = { minter: o.minter, OR: [{ retiredAt: null }, { retiredAt: { gt: o.from } }] };
  const retired = { where: open, data: { retiredAt: o.from } };
  const trees = await db.tree.updateManyAndReturn({ ...retired, select: { address: true } });
  const collections = await db.collection.updateManyAndReturn({
    ...retired,
    select: { address: true },
  });
  return [...trees, ...collections].map(({ address }) => address);
}

/**
 * What the key signed after its end: minted in a tree of it, restored mints without a transaction on record among them,
 * or signed and not settled yet; and what has a file that it signed as the storage key.
 */
async function listDoubtful(db: Db, o: { publicKey: string; from: Date }): Promise<string[]> {
  const { publicKey, from } = o;
  const rows = await db.$queryRaw<{ id: string }[]>`
    select mints.id from mints join trees on trees.address = mints.tree
      where trees.minter = ${publicKey} and mints.completed_at > ${from}
    union
    select mint_attempts.mint_id from mint_attempts join trees on trees.address = mint_attempts.tree
      where trees.minter = ${publicKey} and mint_attempts.outcome is null
    union
    select mints.id from mints
      join stored_items on stored_items.id in (mints.metadata_item_id, mints.image_item_id)
      where stored_items.owner = ${publicKey} and stored_items.created_at > ${from}
    order by id`;
  return rows.map(({ id }) => id);
}
