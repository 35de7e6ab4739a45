import { z } from 'zod';
import { encodeTags } from '@quittance/verify/storage/encode-tags';
import { writeItem } from '@quittance/verify/storage/item-format';
import { requestStorage } from './request-storage';
import { FREE_ITEM_BYTES, hexSha256, type SignedItem } from './sign-item';
import { verifyItemParts } from '@quittance/verify/storage/verify-item';
import bs58 from 'bs58';

const TIMEOUT_MS = 20_000;

/** What a node tells of an item beside its data. */
const told = z.object({
  address: z.string(),
  signature: z.string(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
});

/**
 * An item as it was signed, put together from what a gateway serves; null when it is not there, or when what
 * is served is not what was signed under this id. Throws Error when the gateway does not answer.
 */
export async function fetchItem(o: {
  id: string;
  anchorSeed: string;
  gatewayUrl: string;
}): Promise<SignedItem | null> {
  const get = async (path: string): Promise<Uint8Array | null> => {
    const answer = await requestStorage({
      url: `${o.gatewayUrl}/${path}`,
      timeoutMs: TIMEOUT_MS,
      mostBytes: FREE_ITEM_BYTES,
    });
    if (!answer.ok) throw new Error(answer.message);
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw new Error(`${answer.host} answered ${answer.status}`);
    return answer.body;
  };
  const [data, about] = await Promise.all([get(o.id), get(`tx/${o.id}`)]);
  if (!data || !about) return null;
  const {
    address: owner,
    signature: text,
    tags,
  } = told.parse(JSON.parse(Buffer.from(about).toString('utf8')));
  const signature = Buffer.from(text, 'base64url');
  const anchor = Buffer.from(hexSha256(Buffer.from(o.anchorSeed)).slice(0, 32));
  if (!verifyItemParts({ id: o.id, signature, owner, anchor, tags, data })) return null;
  const fields = {
    signature,
    owner: bs58.decode(owner),
    target: new Uint8Array(),
    anchor,
    tagBytes: encodeTags(tags),
    data,
  };
  return {
    id: o.id,
    raw: writeItem(fields, tags.length),
    dataSha256: hexSha256(data),
    owner,
    contentType: tags.find(({ name }) => name === 'Content-Type')?.value ?? '',
  };
}
