import type { Env } from '@/server/env';
import { itemUri } from './item-uri';
import { signItem, type SignedItem } from './sign-item';

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
