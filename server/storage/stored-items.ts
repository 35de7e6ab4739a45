import { itemData } from '@quittance/verify/storage/verify-item';
import type { Db } from '@/server/db/client';
import { env, type Env } from '@/server/env';
import { localSigner } from '@/server/keys';
import { loadLibrary } from './irys';
import { type SignedItem, signItem } from './sign-item';

/** Public address of an item at the gateway, by default the one of the settings. */
export function itemUri(id: string, gatewayUrl: string = env().storageGatewayUrl): string {
  return `${gatewayUrl}/${id}`;
}

/** The two files of an NFT, signed: their addresses are known before they are uploaded. */
export type SignedFiles = { image: SignedItem; metadata: SignedItem; metadataUri: string };

/** Signs an image, and the metadata that names its address. */
export async function signFiles(
  env: Pick<Env, 'serviceName' | 'storage' | 'storageGatewayUrl'>,
  o: {
    kind: 'receipt' | 'statement';
    /** Of the receipt or statement. */
    id: string;
    /** PNG. While it is being drawn, the library that signs is loaded. */
    image: Promise<Uint8Array>;
    describe: (imageUri: string) => Uint8Array;
  },
): Promise<SignedFiles> {
  const [png] = await Promise.all([o.image, loadLibrary()]);
  const { kind, id } = o;
  const signer = localSigner(env.storage);
  const sign = (data: Uint8Array, contentType: string, part: 'image' | 'metadata') =>
    signItem({
      signer,
      data,
      contentType,
      tags: [
        { name: 'App-Name', value: env.serviceName },
        { name: ID_TAG[kind], value: id },
      ],
      anchorSeed: `${kind}:${id}:${part}:v1`,
    });
  const image = await sign(png, 'image/png', 'image');
  const description = o.describe(itemUri(image.id, env.storageGatewayUrl));
  const metadata = await sign(description, 'application/json', 'metadata');
  return { image, metadata, metadataUri: itemUri(metadata.id, env.storageGatewayUrl) };
}

const ID_TAG = { receipt: 'Receipt-Id', statement: 'Statement-Id' } as const;

/**
 * Stores the bytes of signed items before they are uploaded. They can be uploaded again anywhere, whatever becomes of
 * the key or the node. The same item twice is kept once.
 */
export async function saveItems(db: Db, items: readonly SignedItem[], now: Date): Promise<void> {
  await db.storedItem.createMany({
    data: items.map((item) => ({
      id: item.id,
      contentType: item.contentType,
      raw: new Uint8Array(item.raw),
      dataSha256: item.dataSha256,
      owner: item.owner,
      createdAt: now,
    })),
    skipDuplicates: true,
  });
}

export type LoadedItem = SignedItem & {
  data: Uint8Array;
  createdAt: Date;
  /** When the gateway first returned the bytes; null before. */
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

/** Notes when the gateway first served an item. A recorded time stays. */
export async function noteServed(db: Db, id: string, now: Date): Promise<void> {
  await db.storedItem.updateMany({ where: { id, uploadedAt: null }, data: { uploadedAt: now } });
}
