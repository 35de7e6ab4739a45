import { z } from 'zod';
import { metrics } from '@/server/metrics';
import { postDataItem } from './irys';
import { answerText, jsonOf, requestStorage } from './request-storage';
import { FREE_ITEM_BYTES, hexSha256, type SignedItem } from './sign-item';

export type UploadOutcome =
  /** The gateway returned the same bytes. */
  | { state: 'stored' }
  /** The node rejected the item (unpaid, invalid). It counts as an attempt. */
  | { state: 'refused'; status: number; message: string }
  /** Nothing is known to be wrong with the item: wait and retry. It counts as no attempt. */
  | { state: 'unreachable'; message: string };

/** An item is under 100 KiB, and a job retries. */
const DEFAULT_TIMEOUT_MS = 15_000;
const MOST_ANSWER_BYTES = 64 * 1024;

const receipt = z.object({ id: z.string() });

/**
 * Uploads a signed item with one POST and reads it back. Safe to repeat: the bytes and so the id
 * are fixed, and a node answers a duplicate with 201. The item counts as stored when the
 * gateway serves its bytes, even if the POST answered an error. So a lost answer costs nothing.
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
  const read = await readBack({ id, dataSha256, gatewayUrl: o.gatewayUrl, timeoutMs });
  if (read.state === 'there') {
    metrics().storedBytes.inc(raw.length);
    return { state: 'stored' };
  }
  if (read.state === 'unknown')
    return { state: 'unreachable', message: `${posted.message}; ${read.message}` };
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
  // Only the status of a duplicate's answer is promised, not its text.
  if (status === 201) return { state: 'taken', message: `${host} had the item before` };
  if (status === 200) {
    if (jsonOf(body, receipt)?.id !== o.id)
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

/** 408 and 429 ask for a retry. 5xx and redirects say nothing about the item. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

type ReadBack =
  | { state: 'there' }
  | { state: 'absent' }
  /** The gateway's answer proves neither: it is down, slow, or serves other bytes under this id. */
  | { state: 'unknown'; message: string };

/**
 * Reads an item back from the gateway and compares its bytes by sha256: the only proof of an upload that
 * counts. Receipts and duplicate answers are promises.
 */
async function readBack(o: {
  id: string;
  dataSha256: string;
  gatewayUrl: string;
  timeoutMs: number;
}): Promise<ReadBack> {
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
