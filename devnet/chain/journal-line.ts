import { VersionedTransaction } from '@solana/web3.js';
import { z } from 'zod';
import type { SavedChange } from './change';
import { recordOf } from './chain';
import type { Meta, TxRecord } from './emulator';
import { withLoadedKeys } from './message';

const change = z.object({
  a: z.string(),
  l: z.string().optional(),
  o: z.string().optional(),
  d: z.string().optional(),
  p: z.array(z.tuple([z.number(), z.string()])).optional(),
}) satisfies z.ZodType<SavedChange>;

const balance = z.object({
  accountIndex: z.number(),
  mint: z.string(),
  owner: z.string(),
  programId: z.string(),
  uiTokenAmount: z.object({
    amount: z.string(),
    decimals: z.number(),
    uiAmount: z.number().nullable(),
    uiAmountString: z.string(),
  }),
});
const bytes = z.string().transform((text) => new Uint8Array(Buffer.from(text, 'base64')));
const innerInstruction = z.object({
  programIdIndex: z.number(),
  accounts: z.array(z.number()),
  data: bytes,
  stackHeight: z.number(),
});
const meta = z.object({
  err: z.union([z.null(), z.string(), z.record(z.string(), z.unknown())]),
  fee: z.number(),
  preBalances: z.array(z.number()),
  postBalances: z.array(z.number()),
  preTokenBalances: z.array(balance),
  postTokenBalances: z.array(balance),
  innerInstructions: z.array(
    z.object({ index: z.number(), instructions: z.array(innerInstruction) }),
  ),
  logMessages: z.array(z.string()),
  computeUnitsConsumed: z.number(),
  returnData: z
    .object({ programId: z.string(), data: z.tuple([z.string(), z.literal('base64')]) })
    .nullable(),
  loadedAddresses: z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) }),
}) satisfies z.ZodType<Meta>;
const transaction = z.object({ slot: z.number(), time: z.number(), wire: bytes, meta });

/**
 * One line of the journal: accounts that were set, a transaction with its changes, or a vanished
 * one.
 */
const line = z.discriminatedUnion('k', [
  z.object({ k: z.literal('set'), changes: z.array(change) }),
  z.object({ k: z.literal('tx'), tx: transaction, changes: z.array(change) }),
  z.object({
    k: z.literal('vanish'),
    gone: z.array(z.string()),
    rerun: z.array(transaction),
    changes: z.array(change),
  }),
]);
export type JournalLine = z.infer<typeof line>;

/** Reads a line of the journal. Throws on an invalid one. */
export function parseLine(text: string): JournalLine {
  return line.parse(JSON.parse(text));
}

/** A transaction as the journal keeps it. The other fields follow from its bytes. */
export function saveTransaction(record: TxRecord) {
  return {
    slot: record.slot,
    time: record.blockTime,
    wire: base64(record.wire),
    meta: {
      ...record.meta,
      innerInstructions: record.meta.innerInstructions.map((group) => ({
        index: group.index,
        instructions: group.instructions.map((ix) => ({ ...ix, data: base64(ix.data) })),
      })),
    },
  };
}

export function loadTransaction(saved: z.infer<typeof transaction>): TxRecord {
  const decoded = VersionedTransaction.deserialize(saved.wire);
  const resolved = withLoadedKeys(decoded.message, saved.meta.loadedAddresses);
  return {
    ...recordOf(saved.wire, decoded, resolved, saved.meta),
    slot: saved.slot,
    blockTime: saved.time,
  };
}

function base64(data: Uint8Array): string {
  return Buffer.from(data).toString('base64');
}
