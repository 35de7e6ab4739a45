import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { z } from 'zod';

/** A document that cannot be had or is of another form: the message says which and why. */
export class Unreadable extends Error {}

const TIMEOUT_MS = 20_000;

/** A JSON document from a file, an http address, or standard input (`-`), of the form asked for. */
export async function readDocument<T>(place: string, schema: z.ZodType<T>): Promise<T> {
  const content = Buffer.from(await readPlace(place)).toString('utf8');
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    throw new Unreadable(`${place} is not JSON`);
  }
  return parseDocument(place, json, schema);
}

/** A document that was read, in the form asked for. */
export function parseDocument<T>(place: string, json: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Unreadable(
    `${place} has an unexpected form: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  );
}

/** The bytes of a file, of an http address, or of standard input (`-`). */
export async function readPlace(place: string): Promise<Uint8Array> {
  if (place === '-') return buffer(process.stdin);
  if (/^https?:\/\//.test(place)) return readBytes(place);
  try {
    return await readFile(place);
  } catch (cause) {
    throw new Unreadable(`the file ${place} cannot be read`, { cause });
  }
}

/** The body of an http address. */
export async function readBytes(url: string): Promise<Uint8Array> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Unreadable(`${url} answers ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`${url} does not answer`, { cause: error });
  }
}
