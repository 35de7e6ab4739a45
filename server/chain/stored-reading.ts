import { z } from 'zod';
import type { ServiceContext } from '@/server/context';
import { trusted } from '@/server/trusted';
import type { Transfer, TransferReading } from './transfer';

/**
 * Number of the reader behind a stored reading. Raise it when the same transaction is read differently:
 * what older readers stored is then read anew, and replaced.
 */
const READER_VERSION = 1;

type Store = Pick<ServiceContext, 'db' | 'env'>;

const units = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);

/** As {@link Transfer}, with what JSON has no type for as text. */
const storedTransfer = z.object({
  signature: z.string(),
  slot: units,
  blockTime: z.iso.datetime().transform((text) => new Date(text)),
  finality: z.literal('finalized'),
  payer: z.string(),
  seller: z.string(),
  mint: z.string().nullable(),
  tokenProgram: z.string().nullable(),
  decimals: z.number().int(),
  amount: units,
  amountSent: units,
  feeWithheld: units,
  otherLegs: z.array(z.object({ owner: z.string(), amount: units })),
  feePayer: z.string(),
  memos: z.array(z.string()),
  references: z.array(z.string()),
});

const common = {
  version: z.literal(READER_VERSION),
  tokenAccounts: z
    .array(z.object({ account: z.string(), owner: z.string(), mint: z.string() }))
    .optional(),
};
const storedReading = z.discriminatedUnion('ok', [
  z.object({ ...common, ok: z.literal(true), transfer: storedTransfer }),
  z.object({
    ...common,
    ok: z.literal(false),
    code: z.enum([
      'transaction_failed',
      'not_a_payment',
      'several_payers',
      'several_sellers',
      'owner_unknown',
    ]),
    detail: z.string(),
  }),
]);

/** What is known of a final transaction. Slot and time are those of its block. */
export type FinalReading = {
  signature: string;
  reading: TransferReading;
  slot: bigint | null;
  /** Position in its block; left out where no node told it. */
  blockIndex?: number | undefined;
  blockTime: Date | null;
  /** Token accounts whose owner the transaction names; a hint for searches, may be left out. */
  tokenAccounts?: readonly OwnedAccount[] | undefined;
};

/** A token account, and the wallet that owned it at the time. */
export type OwnedAccount = { account: string; owner: string; mint: string };

/** The reading of a final transaction, or null when it was not read yet or only by an older reader. */
export async function loadTransferReading(
  store: Store,
  signature: string,
): Promise<TransferReading | null> {
  return (await loadFinalReadings(store, [signature])).get(signature)?.reading ?? null;
}

/** All that is kept of many transactions (20,000 at most); what is not there is left out. */
export async function loadFinalReadings(
  { db, env }: Store,
  signatures: readonly string[],
): Promise<Map<string, FinalReading>> {
  const found = new Map<string, FinalReading>();
  if (signatures.length === 0) return found;
  // One array parameter, as a list of parameters ends at 32,767. Text costs the client half of JSON.
  const rows = await db.$queryRaw<StoredRow[]>`
    select signature, reading::text, slot::text, block_index as "blockIndex",
           block_time as "blockTime" from read_transfers
     where network = ${env.network} and signature = any(${[...signatures]}::text[])`;
  for (const { signature, reading, slot, blockTime, ...row } of rows) {
    const parsed = storedReading.safeParse(JSON.parse(reading));
    if (!parsed.success) continue;
    const { tokenAccounts } = parsed.data;
    const blockIndex = row.blockIndex ?? undefined;
    found.set(signature, {
      ...{ signature, blockIndex, blockTime, tokenAccounts },
      slot: slot === null ? null : BigInt(slot),
      reading: placed(toReading(parsed.data), blockIndex),
    });
  }
  return found;
}

/** The position of a transaction stands beside its reading, which may be stored before it is known. */
function placed(reading: TransferReading, blockIndex: number | undefined): TransferReading {
  return reading.ok ? { ...reading, transfer: { ...reading.transfer, blockIndex } } : reading;
}

type StoredRow = {
  signature: string;
  reading: string;
  slot: string | null;
  blockIndex: number | null;
  blockTime: Date | null;
};

/**
 * Keeps the reading of a transaction that is finalized, for every later question about it. A transaction
 * that was not found, or that this node or reader could not read, is not kept: another may. Safe to
 * repeat; a reading of a newer reader stays.
 */
export async function storeTransferReading(
  store: Store & Pick<ServiceContext, 'clock'>,
  read: FinalReading,
): Promise<void> {
  await storeTransferReadings(store, [read]);
}

/** As {@link storeTransferReading} for many, in one statement. */
export async function storeTransferReadings(
  { db, env, clock }: Store & Pick<ServiceContext, 'clock'>,
  reads: readonly FinalReading[],
): Promise<void> {
  const rows = reads.flatMap(
    ({ signature, reading, slot, blockIndex, blockTime, tokenAccounts }) => {
      const stored = toStored(reading);
      return stored === null
        ? []
        : [
            {
              signature,
              reading: { ...stored, tokenAccounts },
              slot: slot?.toString() ?? null,
              block_index: blockIndex ?? null,
              block_time: blockTime?.toISOString() ?? null,
            },
          ];
    },
  );
  if (rows.length === 0) return;
  await db.$executeRaw`
    insert into read_transfers (signature, network, reading, slot, block_index, block_time, stored_at)
    select distinct on (signature) signature, ${env.network}, reading, slot, block_index, block_time,
           ${clock.now()}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           as r (signature text, reading jsonb, slot bigint, block_index integer, block_time timestamptz)
     order by signature
    on conflict (signature) do update
       set network = excluded.network, reading = excluded.reading, slot = excluded.slot,
           block_index = coalesce(excluded.block_index, read_transfers.block_index),
           block_time = excluded.block_time, stored_at = excluded.stored_at
     where read_transfers.network <> excluded.network
        or (read_transfers.reading->>'version')::int < ${READER_VERSION}`;
}

function toStored(reading: TransferReading): z.input<typeof storedReading> | null {
  if (reading.ok)
    return { version: READER_VERSION, ok: true, transfer: transferToStored(reading.transfer) };
  const { code, detail } = reading;
  if (code === 'transaction_not_found' || code === 'unreadable_transaction') return null;
  return { version: READER_VERSION, ok: false, code, detail };
}

function transferToStored(transfer: Transfer): z.input<typeof storedTransfer> {
  return {
    ...transfer,
    finality: 'finalized',
    slot: transfer.slot.toString(),
    blockTime: transfer.blockTime.toISOString(),
    amount: transfer.amount.toString(),
    amountSent: transfer.amountSent.toString(),
    feeWithheld: transfer.feeWithheld.toString(),
    otherLegs: transfer.otherLegs.map(({ owner, amount }) => ({
      owner,
      amount: amount.toString(),
    })),
  };
}

function toReading(stored: z.output<typeof storedReading>): TransferReading {
  return stored.ok
    ? { ok: true, transfer: trusted<Transfer>(stored.transfer, 'the schema mirrors Transfer') }
    : { ok: false, code: stored.code, detail: stored.detail };
}
