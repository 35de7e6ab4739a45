import { readTransfer } from './read-transfer';
import type { Rpc } from './rpc';
import type { TransferReading } from './transfer';

/** Readings kept per process, about 1 KB each; the least recently used goes first. */
const MOST_KEPT = 10_000;

const kept = new WeakMap<Rpc, Map<string, TransferReading>>();

/**
 * Reads a transfer as readTransfer does, and asks no node again for one that was final when it was read:
 * nothing about it can change. Any other reading is made afresh.
 */
export async function recallTransfer(o: { rpc: Rpc; signature: string }): Promise<TransferReading> {
  const readings = kept.get(o.rpc) ?? new Map<string, TransferReading>();
  kept.set(o.rpc, readings);
  const known = readings.get(o.signature);
  const reading = known ?? (await readTransfer(o));
  if (!reading.ok || reading.transfer.finality !== 'finalized') return reading;
  // Set again, so that the order of the map is that of use.
  readings.delete(o.signature);
  readings.set(o.signature, reading);
  const oldest = readings.size > MOST_KEPT ? readings.keys().next().value : undefined;
  if (oldest !== undefined) readings.delete(oldest);
  return reading;
}
