import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { openFolder, writeDurably } from './durable-file';
import type { ItemStore } from './item-store';

const funding = z.object({ signature: z.string(), from: z.string(), lamports: z.string() });

export type AccountBook = {
  /** Lamports that an address paid in and has not spent. */
  balance(address: string): bigint;
  hasFunding(signature: string): boolean;
  addFunding(o: { signature: string; from: string; lamports: bigint }): Promise<void>;
};

/** Incoming payments, one file for each transfer. Spending is in the items' records. */
export async function openAccountBook(dir: string, items: ItemStore): Promise<AccountBook> {
  const folder = join(dir, 'fundings');
  await openFolder(folder);
  const signatures = new Set<string>();
  const paidIn = new Map<string, bigint>();
  const note = (entry: z.infer<typeof funding>) => {
    signatures.add(entry.signature);
    paidIn.set(entry.from, (paidIn.get(entry.from) ?? 0n) + BigInt(entry.lamports));
  };
  for (const name of await readdir(folder))
    note(funding.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))));
  return {
    balance: (address) => (paidIn.get(address) ?? 0n) - items.spent(address),
    hasFunding: (signature) => signatures.has(signature),
    addFunding: async ({ signature, from, lamports }) => {
      const entry = { signature, from, lamports: lamports.toString() };
      await writeDurably(join(folder, `${signature}.json`), JSON.stringify(entry));
      note(entry);
    },
  };
}
