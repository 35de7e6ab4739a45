import { judgeMovements } from '@quittance/verify/chain/judge-movements';
import { LEFT_OUT_REASONS, type Movements } from '@quittance/verify/chain/movements';
import { readWithAccounts } from '@quittance/verify/chain/read-transfer';
import type { OwnedAccount } from '@quittance/verify/chain/token-accounts';
import { refuse, type TransactionReading, withFinality } from '@quittance/verify/chain/transfer';
import { z } from 'zod';
import type { ServiceContext } from '@/server/context';
import type { Network } from '@/server/env';

const units = z
  .string()
  .regex(/^\d{1,39}$/)
  .transform(BigInt);

const time = z.iso.datetime().transform((text) => new Date(text));

const leg = z.object({
  owner: z.string(),
  kind: z.enum(['wallet', 'program', 'unknown']),
  direction: z.enum(['given', 'got']),
  mint: z.string().nullable(),
  tokenProgram: z.string().nullable(),
  decimals: z.number().int(),
  amount: units,
  amountSent: units,
  isShown: z.boolean(),
  isNft: z.boolean(),
  references: z.array(z.string()),
});

const leftOut = z.object({
  reason: z.enum(LEFT_OUT_REASONS),
  from: z.string().nullable(),
  to: z.string().nullable(),
  account: z.string().nullable(),
  mint: z.string().nullable(),
  decimals: z.number().int(),
  amount: units,
});

const moved = z.object({
  signature: z.string(),
  slot: units,
  blockIndex: z.number().int().nonnegative().optional(),
  blockTime: time,
  feePayer: z.string(),
  legs: z.array(leg),
  leftOut: z.array(leftOut),
  exchanged: z.array(z.string()),
  memos: z.array(z.string()),
  hasHiddenAssets: z.boolean(),
  hasInner: z.boolean(),
});

/** As {@link Movements}, with what JSON has no type for as text. */
export const storedMovements = moved.extend({
  earlier: z.array(z.object({ before: time, movements: moved })).optional(),
}) satisfies z.ZodType<Movements>;

export function movementsToStored(movements: Movements): z.input<typeof storedMovements> {
  const { earlier } = movements;
  return {
    ...movedToStored(movements),
    earlier: earlier?.map(({ before, movements: then }) => ({
      before: before.toISOString(),
      movements: movedToStored(then),
    })),
  };
}

function movedToStored(movements: Movements): z.input<typeof moved> {
  return {
    ...movements,
    slot: movements.slot.toString(),
    blockTime: movements.blockTime.toISOString(),
    legs: movements.legs.map((one) => ({
      ...one,
      amount: one.amount.toString(),
      amountSent: one.amountSent.toString(),
    })),
    leftOut: movements.leftOut.map((one) => ({ ...one, amount: one.amount.toString() })),
  };
}

/**
 * Number of the reader behind a stored reading. Raise it when the same transaction is read
 * differently, for example by a longer list of tip accounts or exchanges. Readings of older readers
 * are then read again and replaced.
 */
export const READER_VERSION = 3;

type Store = Pick<ServiceContext, 'db' | 'env'>;

const common = {
  version: z.literal(READER_VERSION),
  tokenAccounts: z
    .array(z.object({ account: z.string(), owner: z.string(), mint: z.string() }))
    .optional(),
};
/**
 * The movements of a transaction. Which of them is the payment is judged each time, by the prices
 * frozen with it.
 */
const storedReading = z.discriminatedUnion('failed', [
  z.object({ ...common, failed: z.literal(false), movements: storedMovements }),
  z.object({
    ...common,
    failed: z.literal(true),
    detail: z.string(),
    movements: storedMovements.nullable(),
  }),
]);

/** The facts of a final transaction. Slot and time are those of its block. */
export type FinalReading = {
  signature: string;
  reading: TransactionReading;
  slot: bigint | null;
  blockTime: Date | null;
  /** Token accounts whose owner the transaction names; a hint for searches, may be left out. */
  tokenAccounts?: readonly OwnedAccount[] | undefined;
};

/** The reading of a final transaction, or null when it was not read yet or only by an older reader. */
export async function loadTransferReading(
  store: Store,
  signature: string,
): Promise<TransactionReading | null> {
  return (await loadFinalReadings(store, [signature])).get(signature)?.reading ?? null;
}

/** All stored readings of many transactions (20,000 at most); missing ones are left out. */
export async function loadFinalReadings(
  { db, env }: Store,
  signatures: readonly string[],
): Promise<Map<string, FinalReading>> {
  const found = new Map<string, FinalReading>();
  if (signatures.length === 0) return found;
  // One array parameter, because a list of parameters ends at 32,767. Text costs the client half of
  // JSON.
  const rows = await db.$queryRaw<StoredRow[]>`
    select signature, reading::text, slot::text, block_time as "blockTime" from read_transfers
     where network = ${env.network} and signature = any(${[...signatures]}::text[])`;
  for (const { signature, reading, slot, blockTime } of rows) {
    const parsed = storedReading.safeParse(JSON.parse(reading));
    if (!parsed.success) continue;
    const { tokenAccounts } = parsed.data;
    found.set(signature, {
      signature,
      blockTime,
      tokenAccounts,
      slot: slot === null ? null : BigInt(slot),
      reading: toReading(parsed.data, env.network),
    });
  }
  return found;
}

type StoredRow = {
  signature: string;
  reading: string;
  slot: string | null;
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
  const rows = reads.flatMap(({ signature, reading, slot, blockTime, tokenAccounts }) => {
    const stored = toStored(reading);
    return stored === null
      ? []
      : [
          {
            signature,
            reading: { ...stored, tokenAccounts },
            slot: slot?.toString() ?? null,
            block_time: blockTime?.toISOString() ?? null,
          },
        ];
  });
  if (rows.length === 0) return;
  await db.$executeRaw`
    insert into read_transfers (signature, network, reading, slot, block_time, stored_at)
    select distinct on (signature) signature, ${env.network}, reading, slot, block_time, ${clock.now()}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           as r (signature text, reading jsonb, slot bigint, block_time timestamptz)
     order by signature
    on conflict (signature) do update
       set network = excluded.network, reading = excluded.reading, slot = excluded.slot,
           block_time = excluded.block_time, stored_at = excluded.stored_at
     where read_transfers.network <> excluded.network
        or (read_transfers.reading->>'version')::int < ${READER_VERSION}`;
}

function toStored(reading: TransactionReading): z.input<typeof storedReading> | null {
  const { movements } = reading;
  const stored = movements && movementsToStored(movements);
  const version = READER_VERSION;
  if (!reading.ok && reading.code === 'transaction_failed')
    return { version, failed: true, detail: reading.detail, movements: stored };
  return stored && { version, failed: false, movements: stored };
}

function toReading(stored: z.output<typeof storedReading>, network: Network): TransactionReading {
  if (stored.failed) return refuse('transaction_failed', stored.detail, stored.movements);
  // Only final readings are stored.
  return withFinality(judgeMovements(stored.movements, { network, prices: [] }), 'finalized');
}

/**
 * Like `readTransfer`, but a final transaction is read from the chain only once in the service's
 * life. Every route and every later call has the same answer.
 */
export async function readTransferOnce(
  service: Pick<ServiceContext, 'db' | 'env' | 'clock' | 'rpc'>,
  signature: string,
): Promise<TransactionReading> {
  const stored = await loadTransferReading(service, signature);
  if (stored) return stored;
  const { reading, tokenAccounts, finality } = await readWithAccounts({
    rpc: service.rpc,
    network: service.env.network,
    signature,
  });
  if (finality === 'finalized' && reading.movements) {
    const { slot, blockTime } = reading.movements;
    await storeTransferReading(service, { signature, reading, slot, blockTime, tokenAccounts });
  }
  return reading;
}
