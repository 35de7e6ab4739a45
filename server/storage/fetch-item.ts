import { encodeTags } from '@quittance/verify/storage/encode-tags';
import { writeItem } from '@quittance/verify/storage/item-format';
import { verifyItemParts } from '@quittance/verify/storage/verify-item';
import bs58 from 'bs58';
import { z } from 'zod';
import { jsonOf, requestStorage, StorageUnavailable } from './request-storage';
import { FREE_ITEM_BYTES, hexSha256, type SignedItem } from './sign-item';

const TIMEOUT_MS = 20_000;

/** `GET /tx/:id` of a gateway: everything of an item but its data. */
const description = z.object({
  address: z.string(),
  signature: z.string(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
});

/**
 * A signed item, built from the answers of a gateway. Null when `id` is not an item id, or when the
 * gateway has no such item. Null also when its data, tags or signature are not those that were
 * signed under the id. Throws {@link StorageUnavailable} when the gateway gives no usable answer.
 */
export async function fetchItem(o: {
  id: string;
  anchorSeed: string;
  gatewayUrl: string;
}): Promise<SignedItem | null> {
  if (bs58.decodeUnsafe(o.id)?.length !== 32) return null;
  const [data, about] = await Promise.all([
    get(`${o.gatewayUrl}/${o.id}`),
    get(`${o.gatewayUrl}/tx/${o.id}`),
  ]);
  if (!data || !about) return null;
  const described = jsonOf(about.body, description);
  if (!described) throw new StorageUnavailable(`${about.host} did not describe the item`);
  const { address: owner, tags } = described;
  const signature = Buffer.from(described.signature, 'base64url');
  const anchor = Buffer.from(hexSha256(Buffer.from(o.anchorSeed)).slice(0, 32));
  if (!verifyItemParts({ id: o.id, signature, owner, anchor, tags, data: data.body })) return null;
  const fields = {
    signature,
    owner: bs58.decode(owner),
    target: new Uint8Array(),
    anchor,
    tagBytes: encodeTags(tags),
    data: data.body,
  };
  return {
    id: o.id,
    raw: writeItem(fields, tags.length),
    dataSha256: hexSha256(data.body),
    owner,
    contentType: tags.find(({ name }) => name === 'Content-Type')?.value ?? '',
  };
}

async function get(url: string): Promise<{ body: Uint8Array; host: string } | null> {
  const answer = await requestStorage({ url, timeoutMs: TIMEOUT_MS, mostBytes: FREE_ITEM_BYTES });
  if (!answer.ok) throw new StorageUnavailable(answer.message);
  if (answer.status === 404) return null;
  if (answer.status !== 200)
    throw new StorageUnavailable(`${answer.host} answered ${answer.status}`);
  return answer;
}
