import { refreshAccounts } from './accounts';
import type { NoteContext } from './note-transactions';
import { scanLedger, type Scanned } from './scan-ledger';

/** Longer than any history takes: whoever runs this waits for its end. */
const MOST_MS = 24 * 3_600_000;
/** More slots than the chain will have for centuries: every history is read from its beginning. */
const ALL_SLOTS = 10n ** 18n;

/**
 * Reads the ledger anew from the chain after an old backup was restored: every account of the wallets that were
 * ever paid, from its beginning. Rows that are there stay as they are. What the operator had recorded after the
 * backup is in no chain: those debits are unexplained again, and payments that they may have been the refunds of
 * buy nothing until it is recorded once more. Safe to repeat.
 */
export async function rebuildLedger(
  ctx: NoteContext,
  wallets: ReadonlySet<string>,
): Promise<Scanned> {
  await refreshAccounts(ctx, wallets);
  return scanLedger(ctx, { mostMs: MOST_MS, overlapSlots: ALL_SLOTS });
}
