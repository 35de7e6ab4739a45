import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@/server/db/client';
import { findReceiptOfTransaction, type ReceiptWithMint } from './find-receipt';

/** A receipt is drawn and written well within this time; past it the caller is told to come back. */
const PATIENCE_MS = 5_000;
const POLL_MS = 100;

/** Waits for the receipt that another request is writing; null when it does not appear in time. */
export async function awaitOtherReceipt(
  db: Db,
  txSignature: string,
): Promise<ReceiptWithMint | null> {
  const end = performance.now() + PATIENCE_MS;
  do {
    await sleep(POLL_MS);
    const found = await findReceiptOfTransaction(db, txSignature);
    if (found) return found;
  } while (performance.now() < end);
  return null;
}
