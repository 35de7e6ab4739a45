import { z } from 'zod';
import { metrics } from '@/server/metrics';
import { lookForItem } from './look-for-item';
import { answerText, requestStorage } from './request-storage';

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
  item: { id: string; raw: Uint8Array; dataSha256: string };
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
  const answer = await requestStorage({
    url: `${o.uploadUrl}/tx/solana`,
    method: 'POST',
    body: o.raw,
    timeoutMs: o.timeoutMs,
    mostBytes: MOST_ANSWER_BYTES,
  });
  if (!answer.ok) return { state: 'unreachable', message: answer.message };
  const { status, body, host } = answer;
  // The text of a duplicate's answer is nowhere promised; the status is.
  if (status === 201) return { state: 'taken', message: `${host} had the item before` };
  if (status === 200)
    return namesItem(body, o.id)
      ? { state: 'taken', message: `${host} took the item` }
      : { state: 'unreachable', message: `${host} answered 200 with something else` };
  const message = `${host} answered ${status}: ${answerText(body)}`;
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
