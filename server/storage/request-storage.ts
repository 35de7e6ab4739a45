import bs58 from 'bs58';
import { z } from 'zod';
import { exchange, HttpTrouble } from '@/server/http';
import { metrics } from '@/server/metrics';

export type StorageAnswer =
  | { ok: true; status: number; body: Uint8Array; contentType: string | null; host: string }
  | { ok: false; message: string };

/** A storage node gave no usable answer: it is down, slow, or answers something else. */
export class StorageUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StorageUnavailable';
  }
}

/**
 * One HTTP call to a storage node. `timeoutMs` bounds the call as a whole, `mostBytes` its answer.
 * Messages name the host alone: a path or a query may hold an access key.
 */
export async function requestStorage(o: {
  url: string;
  method?: 'GET' | 'POST';
  body?: Uint8Array;
  /** Of the body; plain bytes by default. */
  contentType?: string;
  timeoutMs: number;
  mostBytes: number;
}): Promise<StorageAnswer> {
  const { host } = new URL(o.url);
  const method = o.method ?? 'GET';
  const count = (outcome: string): void => metrics().storageRequests.inc({ method, outcome });
  try {
    const { status, header, body } = await exchange({
      url: o.url,
      method,
      ...(o.body && {
        body: o.body,
        headers: { 'content-type': o.contentType ?? 'application/octet-stream' },
      }),
      timeoutMs: o.timeoutMs,
      mostBytes: o.mostBytes,
      // An upload that is redirected was not accepted by this node.
      followsRedirects: o.method !== 'POST',
    });
    count(status < 400 ? 'answered' : status < 500 ? 'refused' : 'failed');
    return { ok: true, status, body, contentType: header('content-type'), host };
  } catch (error) {
    count('failed');
    if (!(error instanceof HttpTrouble)) throw error;
    if (error.kind === 'too_big') return { ok: false, message: `${host} answered ${error.reason}` };
    return { ok: false, message: `${host} did not answer (${error.reason})` };
  }
}

/** Characters of the shortest part of a path that may be an access key. */
const LEAST_SECRET = 8;

/**
 * Text of an answer for a message: one short line of printable text. It is without the path of the
 * upload URL or a long part of it. A node may repeat them, and they may be an access key.
 */
export function answerText(body: Uint8Array, uploadUrl: string): string {
  const { pathname } = new URL(uploadUrl);
  const whole = Buffer.from(body).toString('utf8');
  const secrets = [pathname, ...pathname.split('/')].filter((part) => part.length >= LEAST_SECRET);
  const text = secrets.reduce((left, part) => left.replaceAll(part, '...'), whole);
  const line = text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]+/gu, ' ').trim();
  return [...line].slice(0, 200).join('');
}

/** The JSON object that an answer holds; null when it is another one, or none. */
export function jsonOf<T extends object>(body: Uint8Array, schema: z.ZodType<T>): T | null {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null; // Its message would contain the body.
  }
  return schema.safeParse(json).data ?? null;
}

/**
 * Limits of a call about our account, whose answer is a few words: usually under a second and 1
 * KiB.
 */
export const SHORT_CALL = { timeoutMs: 10_000, mostBytes: 4096 };

const lamports = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const balanceAnswer = z.object({ balance: lamports });
const wallet = z.string().refine((text) => bs58.decodeUnsafe(text)?.length === 32);
const infoAnswer = z.object({ addresses: z.object({ solana: wallet }) });

/**
 * Lamports that the storage node keeps for `owner` (base58). Throws {@link StorageUnavailable} when there is
 * no usable answer.
 */
export async function storageBalance(o: { uploadUrl: string; owner: string }): Promise<bigint> {
  const url = `${o.uploadUrl}/account/balance/solana?address=${encodeURIComponent(o.owner)}`;
  return (await readJson({ url, schema: balanceAnswer, wanted: 'a balance' })).balance;
}

/** Address (base58) of the storage node, to which the SOL of our account is sent. Throws {@link StorageUnavailable}. */
export async function storageAddress(o: { uploadUrl: string }): Promise<string> {
  const url = `${o.uploadUrl}/info`;
  const { addresses } = await readJson({ url, schema: infoAnswer, wanted: 'its Solana address' });
  return addresses.solana;
}

/** Lamports that an item of this many bytes costs. Throws {@link StorageUnavailable}. */
export async function storagePrice(o: { uploadUrl: string; bytes: number }): Promise<bigint> {
  const { body, host } = await read(`${o.uploadUrl}/price/solana/${o.bytes}`);
  const parsed = lamports.safeParse(Buffer.from(body).toString('utf8').trim());
  if (!parsed.success) throw new StorageUnavailable(`${host} did not return a price`);
  return parsed.data;
}

async function readJson<T extends object>(o: {
  url: string;
  schema: z.ZodType<T>;
  wanted: string;
}): Promise<T> {
  const { body, host } = await read(o.url);
  const parsed = jsonOf(body, o.schema);
  if (parsed === null) throw new StorageUnavailable(`${host} did not answer with ${o.wanted}`);
  return parsed;
}

async function read(url: string): Promise<{ body: Uint8Array; host: string }> {
  const answer = await requestStorage({ url, ...SHORT_CALL });
  if (!answer.ok) throw new StorageUnavailable(answer.message);
  if (answer.status !== 200)
    throw new StorageUnavailable(`${answer.host} answered ${answer.status}`);
  return answer;
}
