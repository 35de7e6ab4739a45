import { loadFinalReadings } from './stored-reading';
import { scanTransactions, type ScanContext, type ScannedTransaction } from './scan-transactions';
import { refuse } from '@quittance/verify/chain/transfer';

/** Signatures that nodes take in one question (getSignatureStatuses). */
const STATUSES_AT_ONCE = 256;

/**
 * What each of some transactions is, by signature: those ever read from the database, the others from the
 * chain. One that no node knows is `transaction_not_found`. Throws RpcUnavailable; what was read by then
 * is kept.
 */
export async function readListed(
  ctx: ScanContext,
  signatures: readonly string[],
): Promise<Map<string, ScannedTransaction>> {
  const found = new Map<string, ScannedTransaction>();
  for (const [signature, known] of await loadFinalReadings(ctx, signatures))
    found.set(signature, {
      ...known,
      blockIndex: known.reading.movements?.blockIndex,
      isFinal: true,
    });
  const missing = signatures.filter((signature) => !found.has(signature));
  for (let at = 0; at < missing.length; at += STATUSES_AT_ONCE) {
    const asked = missing.slice(at, at + STATUSES_AT_ONCE);
    const statuses = await ctx.rpc.getSignatureStatuses(asked);
    const lines = asked.flatMap((signature, index) => {
      const status = statuses[index];
      // What is merely processed may be gone in a second, and no node gives it.
      if (!status || status.confirmationStatus === 'processed') {
        const reading = refuse('transaction_not_found', 'no node knows it as confirmed');
        found.set(signature, { signature, reading, slot: null, blockTime: null, isFinal: false });
        return [];
      }
      const final = status.confirmationStatus === 'finalized';
      const failed = status.err !== null;
      return [
        {
          signature,
          slot: status.slot,
          blockIndex: null,
          blockTime: null,
          memo: null,
          failed,
          final,
        },
      ];
    });
    for (const one of await scanTransactions(ctx, lines)) found.set(one.signature, one);
  }
  return found;
}
