import type { AccountBook } from './account-book';
import type { Faults } from './faults';
import type { ItemStore } from './item-store';
import type { NodeKeys } from './node-keys';
import type { Serialise } from './serialise';

/** The state that the routes of one running node share. */
export type StorageNode = {
  items: ItemStore;
  accounts: AccountBook;
  keys: NodeKeys;
  faults: Faults;
  /** Every change of lamports runs in here, one after another. */
  serialise: Serialise;
  /** The chain that has the funding transfers, or null without one. */
  rpcUrl: string | null;
};

/** Items smaller than this are free at the real nodes ("Uploads of less than 100 KiB are free"). */
const FREE_BYTES = 100 * 1024;
/** A sample price. The real one follows the market. */
const LAMPORTS_PER_KIB = 12n;

/** Lamports for an item of this many bytes. */
export function priceOf(node: StorageNode, bytes: number): bigint {
  if (bytes < FREE_BYTES && !node.faults.current().requireFunds) return 0n;
  return ((BigInt(bytes) + 1023n) / 1024n) * LAMPORTS_PER_KIB;
}
