import { setTimeout as sleep } from 'node:timers/promises';
import type { Mint, Receipt } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { ServiceError } from '@/server/errors';
import { RECEIPT_ID } from '@/server/ids';
import { isStopping } from '@/server/stopping';
import { LISTED_RECEIPT, type ListedReceipt, readListed } from './receipt-codec';

export type ReceiptWithMint = { receipt: Receipt; mint: Mint };

/** A receipt and its minting state by id; throws `receipt_not_found`. */
export async function findReceipt(db: Db, receiptId: string): Promise<ReceiptWithMint> {
  const [receipt, mint] = RECEIPT_ID.test(receiptId)
    ? await Promise.all([
        db.receipt.findUnique({ where: { id: receiptId } }),
        db.mint.findUnique({ where: { id: receiptId } }),
      ])
    : [null, null];
  if (!receipt || !mint)
    throw new ServiceError('receipt_not_found', `There is no receipt ${receiptId.slice(0, 64)}.`);
  return { receipt, mint };
}

/** The one live receipt of a transaction, or null. */
export async function findReceiptOfTransaction(
  db: Db,
  txSignature: string,
): Promise<ReceiptWithMint | null> {
  const receipt = await db.receipt.findFirst({ where: { txSignature, releasedAt: null } });
  const mint = receipt && (await db.mint.findUnique({ where: { id: receipt.id } }));
  return receipt && mint ? { receipt, mint } : null;
}

/** The live receipts of transactions by signature; those without one are left out. */
export async function findListedReceipts(
  db: Db,
  signatures: readonly string[],
): Promise<Map<string, ListedReceipt>> {
  if (signatures.length === 0) return new Map();
  const rows = await db.$queryRaw<{ packed: string }[]>`
    select ${LISTED_RECEIPT} as packed
      from receipts r join mints m on m.id = r.id
     where r.released_at is null and r.tx_signature = any(${[...signatures]}::text[])`;
  return new Map(
    rows.map(({ packed }) => {
      const receipt = readListed(packed);
      return [receipt.txSignature, receipt];
    }),
  );
}

/** The ids of the live receipts of transactions, by signature; those without one are left out. */
export async function findReceiptIds(
  db: Db,
  signatures: readonly string[],
): Promise<Map<string, string>> {
  if (signatures.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; signature: string }[]>`
    select id, tx_signature as signature from receipts
     where released_at is null and tx_signature = any(${[...signatures]}::text[])`;
  return new Map(rows.map(({ id, signature }) => [signature, id]));
}

/** A receipt is drawn and written well within this time; past it the caller is asked to retry. */
const PATIENCE_MS = 5_000;
const OTHER_POLL_MS = 100;

/** Waits for the receipt that another request is writing; null when it does not appear in time. */
export async function awaitOtherReceipt(
  db: Db,
  txSignature: string,
): Promise<ReceiptWithMint | null> {
  const end = performance.now() + PATIENCE_MS;
  do {
    await sleep(OTHER_POLL_MS);
    const found = await findReceiptOfTransaction(db, txSignature);
    if (found) return found;
  } while (performance.now() < end);
  return null;
}

const POLL_MS = 250;
/** Most callers that wait at once in this process. One more gets the current state and may ask again. */
const MOST_WAITING = 500;

type Waiter = {
  id: string;
  until: (mint: Mint) => boolean;
  /** On the monotonic clock, in milliseconds. */
  endsAt: number;
  resolve: (mint: Mint | null) => void;
  reject: (error: unknown) => void;
};

const waiters = new WeakMap<Db, Set<Waiter>>();

/**
 * Waits until `until` is true for a mint, the time is up or the process stops. Returns the last state
 * seen. All who wait share one query every quarter of a second, however many they are.
 */
export async function awaitMint(
  db: Db,
  input: { id: string; waitS: number; until: (mint: Mint) => boolean },
): Promise<Mint | null> {
  const { id, until } = input;
  const mint = await db.mint.findUnique({ where: { id } });
  const waiting = waiters.get(db) ?? new Set<Waiter>();
  if (!mint || until(mint) || input.waitS <= 0 || waiting.size >= MOST_WAITING) return mint;
  waiters.set(db, waiting);
  return new Promise((resolve, reject) => {
    const endsAt = performance.now() + input.waitS * 1000;
    waiting.add({ id, until, endsAt, resolve, reject });
    if (waiting.size === 1) void poll(db, waiting);
  });
}

async function poll(db: Db, waiting: Set<Waiter>): Promise<void> {
  while (waiting.size > 0) {
    await sleep(POLL_MS);
    const asked = [...waiting];
    try {
      const ids = [...new Set(asked.map(({ id }) => id))];
      const rows = await db.mint.findMany({ where: { id: { in: ids } } });
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const waiter of asked) {
        const row = byId.get(waiter.id) ?? null;
        const isInTime = performance.now() < waiter.endsAt && !isStopping();
        if (row && !waiter.until(row) && isInTime) continue;
        waiting.delete(waiter);
        waiter.resolve(row);
      }
    } catch (error) {
      for (const waiter of asked) {
        waiting.delete(waiter);
        waiter.reject(error);
      }
    }
  }
}
