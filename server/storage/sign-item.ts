import { createHash } from 'node:crypto';
import { encodeTags, type Tag } from '@quittance/verify/storage/encode-tags';
import type { StorageSigner } from '@/server/keys';
import { signDataItem } from './irys';

/**
 * Irys stores items of less than 100 KiB without payment (its documentation, mainnet and devnet);
 * the whole item counts, header and tags included.
 */
export const FREE_ITEM_BYTES = 100 * 1024;

const CONTENT_TYPE = 'Content-Type';

export type SignedItem = {
  /** Base58 of sha256(signature): the item's address, known before anything is uploaded. */
  id: string;
  raw: Uint8Array;
  /** Hex sha256 of the data alone: what a gateway must return. */
  dataSha256: string;
  /** Base58 public key of the signer. */
  owner: string;
  contentType: string;
};

/**
 * Signs a data item for permanent storage. Equal input gives equal bytes and so the same address,
 * in every process and at every retry: Ed25519 has no randomness. The anchor is the first 32 hex
 * characters of sha256(anchorSeed), where others use a random one. One Content-Type tag comes
 * first, then the other tags in their order. Throws a RangeError when the item would not be stored
 * without payment, or when a node would refuse its tags.
 */
export async function signItem(o: {
  signer: StorageSigner;
  data: Uint8Array;
  contentType: string;
  tags: Tag[];
  anchorSeed: string;
}): Promise<SignedItem> {
  const tags = [
    { name: CONTENT_TYPE, value: o.contentType },
    ...o.tags.filter(({ name }) => name !== CONTENT_TYPE),
  ];
  // The library takes tags that nodes refuse.
  encodeTags(tags);
  const { id, raw } = await signDataItem({
    signer: o.signer,
    data: o.data,
    tags,
    anchor: hexSha256(Buffer.from(o.anchorSeed)).slice(0, 32),
  });
  if (raw.length >= FREE_ITEM_BYTES)
    throw new RangeError(
      `the item has ${raw.length} bytes; it must have less than ${FREE_ITEM_BYTES} to be stored without payment`,
    );
  return {
    id,
    raw,
    dataSha256: hexSha256(o.data),
    owner: o.signer.publicKey,
    contentType: o.contentType,
  };
}

export function hexSha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
