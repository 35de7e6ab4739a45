import { encodeTags } from '@quittance/verify/storage/encode-tags';
import { writeItem } from '@quittance/verify/storage/item-format';
import { verifyItemParts } from '@quittance/verify/storage/verify-item';
import bs58 from 'bs58';
import { z } from 'zod';
import { metrics } from '@/server/metrics';
import { postDataItem } from './irys';
import { answerText, requestStorage } from './request-storage';
import { FREE_ITEM_BYTES, hexSha256, type SignedItem } from './sign-item';

export type UploadOutcome =
  /** The gateway gave the same bytes back. */
  | { state: 'stored' }
  /** The node looked at the item and said no (unpaid, invalid): an attempt. */
  | { state: 'refused'; status: number; message: string }
  /** Nothing is known to be wrong with the item: wait and try again, not an attempt. */
  | { state: 'unreachable'; message: string };

/** The SDK waits 100 s; an item here is under 100 KiB, and a job can come back. */
const DEFAULT_TIMEOUT_MS = 15_000;
const MOST_ANSWER_BYTES = 64 * 1024;

const receipt = z.object({ id: z.string() });

/**
 * Uploads a signed item with one POST and reads it back. Safe to repeat: the bytes and so the id are fixed,
 * and a node answers a duplicate with 201. Whatever the POST said, the item counts as stored when
 * the gateway serves its bytes, so that an answer lost on its way costs nothing.
 */
export async function uploadItem(o: {
  item: Pick<SignedItem, 'id' | 'raw' | 'dataSha256'>;
  uploadUrl: string;
  gatewayUrl: string;
  timeoutMs?: number;
}): Promise<UploadOutcome> {
  const { id, raw, dataSha256 } = o.item;
  const timeoutMs = o.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const posted = await postItem({ id, raw, uploadUrl: o.uploadUrl, timeoutMs });
  const sight = await lookForItem({ id, dataSha256, gatewayUrl: o.gatewayUrl, timeoutMs });
  if (sight.state === 'there') {
    metrics().storedBytes.inc(raw.length);
    return { state: 'stored' };
  }
  if (sight.state === 'unknown')
    return { state: 'unreachable', message: `${posted.message}; ${sight.message}` };
  if (posted.state === 'taken')
    return { state: 'unreachable', message: `${posted.message}; not readable yet` };
  return posted;
}

type Posted = { state: 'taken'; message: string } | Exclude<UploadOutcome, { state: 'stored' }>;

async function postItem(o: {
  id: string;
  raw: Uint8Array;
  uploadUrl: string;
  timeoutMs: number;
}): Promise<Posted> {
  const { raw, uploadUrl, timeoutMs } = o;
  const node = { uploadUrl, timeoutMs, mostBytes: MOST_ANSWER_BYTES };
  const { answer, isReceipt } = await postDataItem({ raw, node });
  if (!answer.ok) return { state: 'unreachable', message: answer.message };
  const { status, body, host } = answer;
  // The text of a duplicate's answer is nowhere promised; the status is.
  if (status === 201) return { state: 'taken', message: `${host} had the item before` };
  if (status === 200) {
    if (!namesItem(body, o.id))
      return { state: 'unreachable', message: `${host} answered 200 with something else` };
    return isReceipt
      ? { state: 'taken', message: `${host} took the item` }
      : { state: 'unreachable', message: `${host} signed its receipt wrongly` };
  }
  const message = `${host} answered ${status}: ${answerText(body, uploadUrl)}`;
  return isRefusal(status)
    ? { state: 'refused', status, message }
    : { state: 'unreachable', message };
}

/** 408 and 429 ask to come again; 5xx and redirects say nothing about the item. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function namesItem(body: Uint8Array, id: string): boolean {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return false;
  }
  return receipt.safeParse(json).data?.id === id;
}

export type ItemSight =
  | { state: 'there' }
  | { state: 'absent' }
  /** The gateway's answer proves neither: it is down, slow, or serves other bytes under this id. */
  | { state: 'unknown'; message: string };

/**
 * Reads an item back from the gateway and compares its bytes by sha256: the only proof of an upload that
 * counts. Receipts and duplicate answers are promises.
 */
async function lookForItem(o: {
  id: string;
  dataSha256: string;
  gatewayUrl: string;
  timeoutMs: number;
}): Promise<ItemSight> {
  const answer = await requestStorage({
    url: `${o.gatewayUrl}/${o.id}`,
    timeoutMs: o.timeoutMs,
    mostBytes: FREE_ITEM_BYTES,
  });
  if (!answer.ok) return { state: 'unknown', message: answer.message };
  if (answer.status === 404) return { state: 'absent' };
  if (answer.status !== 200)
    return { state: 'unknown', message: `${answer.host} answered ${answer.status}` };
  if (hexSha256(answer.body) === o.dataSha256) return { state: 'there' };
  return { state: 'unknown', message: `${answer.host} serves other bytes under this id` };
}

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
