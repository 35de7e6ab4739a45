import { open, readdir, readFile } from 'node:fs/promises';
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

/** The node's facts about an item besides its bytes. */
export type ItemRecord = z.infer<typeof record>;

export type ItemStore = {
  find(id: string): Promise<ItemRecord | null>;
  /** Record and bytes. */
  load(id: string): Promise<{ record: ItemRecord; raw: Buffer } | null>;
  /** Stores bytes and record, both or neither. */
  put(record: ItemRecord, raw: Uint8Array): Promise<void>;
  /** Newest first. */
  list(accepts: (record: ItemRecord) => boolean, most: number): Promise<ItemRecord[]>;
  count(): number;
  /** Lamports that this address paid for items in total. */
  spent(address: string): bigint;
};

/** No line of JSON contains one, because JSON escapes it in texts. */
const LINE_END = 10;
/** More than most records have. */
const RECORD_BYTES = 4096;

/** Base58 of 32 bytes. Any other text never becomes part of a path. */
const ITEM_ID = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * Items on disk: `stored-items/<id>` holds the record as a line of JSON, then the bytes. An owner's
 * spending is the sum over the records, so one rename both stores an item and charges for it.
 */
export async function openItemStore(dir: string): Promise<ItemStore> {
  const folder = join(dir, 'stored-items');
  await openFolder(folder);
  const stored = new Map<string, number>();
  const spent = new Map<string, bigint>();

  const read = (id: string) => readRecord(join(folder, id));
  const has = (id: string) => ITEM_ID.test(id) && stored.has(id);
  const note = ({ id, address, fee, timestamp }: ItemRecord) => {
    stored.set(id, timestamp);
    if (fee !== '0') spent.set(address, (spent.get(address) ?? 0n) + BigInt(fee));
  };
  for (const id of await readdir(folder)) note(await read(id));

  return {
    find: async (id) => (has(id) ? read(id) : null),
    load: async (id) => {
      if (!has(id)) return null;
      const file = await readFile(join(folder, id));
      const end = file.indexOf(LINE_END);
      return { record: parseRecord(file.subarray(0, end)), raw: file.subarray(end + 1) };
    },
    put: async (item, raw) => {
      const line = Buffer.from(JSON.stringify(item));
      const file = Buffer.concat([line, Buffer.of(LINE_END), raw]);
      await writeDurably(join(folder, item.id), file);
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

async function readRecord(path: string): Promise<ItemRecord> {
  const file = await open(path);
  try {
    let bytes = Buffer.alloc(0);
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(RECORD_BYTES), 0, RECORD_BYTES);
      bytes = Buffer.concat([bytes, buffer.subarray(0, bytesRead)]);
      const end = bytes.indexOf(LINE_END);
      if (end >= 0) return parseRecord(bytes.subarray(0, end));
      if (bytesRead === 0) throw new Error(`${path} holds no item`);
    }
  } finally {
    await file.close();
  }
}

function parseRecord(line: Buffer): ItemRecord {
  return record.parse(JSON.parse(line.toString('utf8')));
}
