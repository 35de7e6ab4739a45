import type { PrismaClient } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import { databaseNow } from '@/server/db/database-clock';
import { SettingsError, type Env } from '@/server/env';
import type { Db } from '@/server/db/client';
import { retireCollections } from '@/server/nft/collections';
import { retireTrees } from '@/server/nft/trees';
import { endRevokedKey, listRevocations } from '@/server/storage/issuer-keys';

/** The result of a revocation. `from`: the last instant at which the key counts. */
export type Revoked = {
  state: 'revoked';
  from: Date;
  kinds: string[];
  /** Trees and collections of the key, which accept no more mints. */
  retired: string[];
  /** Receipts and statements that it minted or stored after `from`, or may have: they no longer verify. */
  doubtful: string[];
};

/**
 * Records that a creator or storage key may be compromised. Its signatures after `from` (now, if it
 * is null) do not verify. Its trees and collections accept no more mints. No process starts with it
 * again. May be repeated; a repeat can only move the end to an earlier time. Refused for a key that
 * was never ours and for a time in the future.
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
    const ended = await endRevokedKey(tx, { publicKey, asked, now });
    if (!ended) return { state: 'refused', why: `${publicKey} was never a key of this service` };
    const { from, kinds } = ended;
    const accounts = { minter: publicKey, from };
    const trees = await retireTrees(tx, accounts);
    const retired = [...trees, ...(await retireCollections(tx, accounts))];
    const doubtful = await listDoubtful(tx, { publicKey, from });
    await writeAudit(tx, {
      at: now,
      actor: o.actor,
      action: 'keys.revoke',
      subject: publicKey,
      detail: { from: from.toISOString(), doubtful: doubtful.length },
    });
    return { state: 'revoked', from, kinds, retired, doubtful };
  });
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
  const revoked = await listRevocations(db);
  const lines = [...names].flatMap(([publicKey, setting]) =>
    revoked.has(publicKey) ? [`${setting} is the revoked key ${publicKey}: set a new one`] : [],
  );
  if (lines.length > 0) throw new SettingsError(lines);
}

/**
 * Everything that the key signed after its end:
 * - mints in a tree of the key, also restored ones without a transaction on record
 * - mints that are signed and not settled yet
 * - receipts with a file that it signed as the storage key
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
