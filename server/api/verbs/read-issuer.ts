import { listRevocations } from '@/server/admin/revoke-key';
import { listCollections } from '@/server/nft/collections';
import { listCreatorKeys } from '@/server/nft/list-creator-keys';
import { listTrees } from '@/server/nft/list-trees';
import type { IssuerDocument } from '@quittance/verify/receipts/issuer-document';
import { listStorageKeys, type StorageKeyUse } from '@/server/storage/list-storage-keys';
import type { RequestContext } from '../request-context';

/** What makes a receipt ours, with the dates each key, tree and collection was in use. */
export async function readIssuer(ctx: RequestContext): Promise<IssuerDocument> {
  const { db, env } = ctx.service;
  const [creators, storageKeys, trees, collections, revocations] = await Promise.all([
    listCreatorKeys(db),
    listStorageKeys(db),
    listTrees(db, env.network),
    listCollections(db, env.network),
    listRevocations(db),
  ]);
  const key = (row: StorageKeyUse) => ({
    public_key: row.publicKey,
    used_from: row.usedFrom.toISOString(),
    used_until: row.usedUntil?.toISOString() ?? null,
    revoked_at: revocations.get(row.publicKey)?.toISOString() ?? null,
  });
  const account = (row: { address: string; createdAt: Date; retiredAt: Date | null }) => ({
    address: row.address,
    used_from: row.createdAt.toISOString(),
    used_until: row.retiredAt?.toISOString() ?? null,
  });
  return {
    service: env.serviceName,
    network: env.network,
    url: env.publicUrl,
    creators: creators.map(key),
    storage_keys: storageKeys.map(key),
    trees: trees.map(account),
    collections: collections.map((row) => ({ ...account(row), kind: row.kind, holds: row.holds })),
  };
}
