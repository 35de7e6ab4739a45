import { itemData } from '@quittance/verify/storage/verify-item';
import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { insertInto } from '@/server/db/insert-into';
import { env, type Env } from '@/server/env';
import { type SignedItem, signItem } from './sign-item';

/** Where anyone reads an item: its address at the gateway, by default the one of the settings. */
export function itemUri(id: string, gatewayUrl: string = env().storageGatewayUrl): string {
  return `${gatewayUrl}/${id}`;
}

/** The two files of an NFT, signed: their addresses are known before they are uploaded. */
export type SignedFiles = { image: SignedItem; metadata: SignedItem; metadataUri: string };

/** Signs a picture, and the metadata that names its address. */
export function signFiles(
  env: Pick<Env, 'serviceName' | 'storage' | 'storageGatewayUrl'>,
  o: {
    kind: 'receipt' | 'statement';
    /** Of the receipt or statement. */
    id: string;
    /** PNG. */
    image: Uint8Array;
    describe: (imageUri: string) => Uint8Array;
  },
): SignedFiles {
  const { kind, id } = o;
  const sign = (data: Uint8Array, contentType: string, part: 'image' | 'metadata') =>
    signItem({
      key: env.storage,
      data,
      contentType,
      tags: [
        { name: 'App-Name', value: env.serviceName },
        { name: ID_TAG[kind], value: id },
      ],
      anchorSeed: `${kind}:${id}:${part}:v1`,
    });
  const image = sign(o.image, 'image/png', 'image');
  const description = o.describe(itemUri(image.id, env.storageGatewayUrl));
  const metadata = sign(description, 'application/json', 'metadata');
  return { image, metadata, metadataUri: itemUri(metadata.id, env.storageGatewayUrl) };
}

const ID_TAG = { receipt: 'Receipt-Id', statement: 'Statement-Id' } as const;

type Items = readonly [SignedItem, ...SignedItem[]];

/**
 * Keeps signed items' bytes, before they are uploaded: they can be posted again anywhere, whatever becomes of
 * the key or the node. The same item twice is kept once.
 */
export async function saveItems(db: Db, items: Items, now: Date): Promise<void> {
  await db.$executeRaw(itemsToSave(items, now));
}

/** {@link saveItems} as SQL that can stand inside a larger statement. */
export function itemsToSave([first, ...others]: Items, now: Date): Prisma.Sql {
  const toRow = (item: SignedItem) => ({
    id: item.id,
    contentType: item.contentType,
    raw: new Uint8Array(item.raw),
    dataSha256: item.dataSha256,
    owner: item.owner,
    createdAt: now,
  });
  const rows = insertInto('stored_items', [toRow(first), ...others.map(toRow)]);
  return Prisma.sql`${rows} on conflict do nothing`;
}

export type LoadedItem = SignedItem & {
  data: Uint8Array;
  createdAt: Date;
  /** When the gateway first gave the bytes back; null before. */
  uploadedAt: Date | null;
};

/** A kept item with its data, or null when no item has this id. */
export async function loadItem(db: Db, id: string): Promise<LoadedItem | null> {
  return (await loadItems(db, [id])).get(id) ?? null;
}

/** The kept items among these ids, in one question. */
export async function loadItems(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LoadedItem>> {
  const rows = await db.storedItem.findMany({ where: { id: { in: [...ids] } } });
  return new Map(rows.map((row) => [row.id, { ...row, data: itemData(row.raw) }]));
}

export type StorageKeyUse = { publicKey: string; usedFrom: Date; usedUntil: Date | null };

/** More keys than a service changes in its life; a bound all the same. */
const MOST_KEYS = 1000;

/** Every key that signed items and when it was in use, newest first. */
export async function listStorageKeys(db: Db): Promise<StorageKeyUse[]> {
  return db.issuerKey.findMany({
    where: { kind: 'storage' },
    orderBy: [{ usedFrom: 'desc' }, { publicKey: 'asc' }],
    take: MOST_KEYS,
    select: { publicKey: true, usedFrom: true, usedUntil: true },
  });
}

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
