import bs58 from 'bs58';
import { z } from 'zod';
import { invalidParams, RpcError } from '../rpc-error';
import type { ChainNode, Commitment } from './node';

/** A method of the RPC: takes `params` as sent and returns `result`, or throws an RpcError. */
export type Method = (params: unknown, node: ChainNode) => unknown;
export type Methods = Record<string, Method>;

const base58Bytes = (bytes: number, what: string) =>
  z.string().refine((text) => bs58.decodeUnsafe(text)?.length === bytes, {
    error: `Invalid param: ${what}`,
  });
export const address = base58Bytes(32, 'Invalid');
export const signature = base58Bytes(64, 'WrongSize');

const LEVELS: Record<string, Commitment> = {
  processed: 'processed',
  recent: 'processed',
  confirmed: 'confirmed',
  single: 'confirmed',
  singleGossip: 'confirmed',
  finalized: 'finalized',
  max: 'finalized',
  root: 'finalized',
};
export const commitment = z
  .enum(Object.keys(LEVELS))
  .transform((name) => LEVELS[name] ?? 'finalized');

/** The last parameter of nearly every method. Nodes ignore fields that they do not know. */
export const config = z.object({
  commitment: commitment.nullish().transform((value) => value ?? 'finalized'),
  minContextSlot: z
    .number()
    .int()
    .nonnegative()
    .nullish()
    .transform((value) => value ?? undefined),
});

/** Parses `params`, a list, by one schema for each position. Missing ones read as undefined. */
export function parseParams<T extends readonly z.ZodType[]>(
  raw: unknown,
  ...schemas: T
): { [K in keyof T]: z.infer<T[K]> } {
  if (raw !== undefined && raw !== null && !Array.isArray(raw))
    throw invalidParams('Invalid params: params should be a list.');
  const list: unknown[] = raw ?? [];
  if (list.length > schemas.length)
    throw invalidParams(`Invalid parameters: No more than ${schemas.length} params are taken.`);
  const values = schemas.map((schema, i) => {
    const result = schema.safeParse(list[i] ?? undefined);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const text = issue?.message ?? 'wrong type';
    if (text.startsWith('Invalid param')) throw invalidParams(text);
    const where = [`[${i}]`, ...(issue?.path ?? [])].join('.');
    throw invalidParams(`Invalid params: ${where}: ${text}.`);
  });
  return values as { [K in keyof T]: z.infer<T[K]> };
}

/** A config that may be missing completely. */
export function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value ?? {}, schema);
}

/** History is not kept below confirmed. */
export function requireConfirmed(level: Commitment): void {
  if (level === 'processed')
    throw new RpcError(-32602, 'Method does not support commitment below `confirmed`');
}
