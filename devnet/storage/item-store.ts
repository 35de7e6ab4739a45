import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { openFolder, writeDurably } from './durable-file';

const tag = z.object({ name: z.string(), value: z.string() });
export type Tag = z.infer<typeof tag>;

const record = z.object({
  id: z.string(),
  token: z.literal('solana'),
  address: z.string(),
  owner: z.string(),
  signature: z.string(),
  target: z.string(),
  anchor: z.string(),
  tags: z.array(tag),
  dataSize: z.number(),
  rawSize: z.number(),
  /** Lamports paid. */
  fee: z.string(),
  timestamp: z.number(),
  receipt: z.object({
    id: z.string(),
    timestamp: z.number(),
    version: z.string(),
    public: z.string(),
    signature: z.string(),
    deadlineHeight: z.number(),
    block: z.number(),
    validatorSignatures: z.array(z.string()),
  }),
});

/** What the node knows of an item beside its bytes. */
export type ItemRecord = z.infer<typeof record>;

export type ItemStore = {
  find(id: string): Promise<ItemRecord | null>;
  raw(id: string): Promise<Buffer>;
  /** Stores bytes and record. The record comes last and is what makes the item be there. */
  put(record: ItemRecord, raw: Uint8Array): Promise<void>;
  /** Newest first. */
  list(accepts: (record: ItemRecord) => boolean, most: number): Promise<ItemRecord[]>;
  count(): number;
  /** Lamports that this address paid for items in all. */
  spent(address: string): bigint;
};

/** Base58 of 32 bytes; anything else never becomes part of a path. */
const ITEM_ID = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * Items on disk: `items/<id>` holds the bytes, `records/<id>.json` the record. What an owner spent is the sum
 * over the records, so that storing an item and charging for it are one rename.
 */
export async function openItemStore(dir: string): Promise<ItemStore> {
  await openFolder(join(dir, 'items'));
  await openFolder(join(dir, 'records'));
  const itemPath = (id: string) => join(dir, 'items', id);
  const recordPath = (id: string) => join(dir, 'records', `${id}.json`);
  const stored = new Map<string, number>();
  const spent = new Map<string, bigint>();

  const read = async (id: string) =>
    record.parse(JSON.parse(await readFile(recordPath(id), 'utf8')));
  const note = ({ id, address, fee, timestamp }: ItemRecord) => {
    stored.set(id, timestamp);
    if (fee !== '0') spent.set(address, (spent.get(address) ?? 0n) + BigInt(fee));
  };
  for (const name of await readdir(join(dir, 'records')))
    note(await read(name.replace(/\.json$/, '')));

  return {
    find: async (id) => (ITEM_ID.test(id) && stored.has(id) ? read(id) : null),
    raw: (id) => readFile(itemPath(id)),
    put: async (item, raw) => {
      await writeDurably(itemPath(item.id), raw);
      await writeDurably(recordPath(item.id), JSON.stringify(item));
      note(item);
    },
    list: async (accepts, most) => {
      const found: ItemRecord[] = [];
      for (const [id] of [...stored].sort(([, a], [, b]) => b - a)) {
        const item = await read(id);
        if (accepts(item)) found.push(item);
        if (found.length === most) break;
      }
      return found;
    },
    count: () => stored.size,
    spent: (address) => spent.get(address) ?? 0n,
  };
}
