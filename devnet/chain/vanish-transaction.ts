import { VersionedTransaction } from '@solana/web3.js';
import { changesOf, lands, recordOf, type Chain } from './chain';
import type { Change } from './change';
import type { TxRecord } from './emulator';
import { executeTransaction } from './execute';
import { machineAt } from './machine';
import { withLoadedKeys } from './message';

/**
 * Lets a transaction that is not final disappear, like when its fork is abandoned. Later
 * transactions run again without it, in the same order and slots, like on the winning fork. Some
 * may then have other results, fail, or disappear too (when their fee payer can no longer pay). The
 * bytes can be sent again as long as their blockhash lives. False when it is unknown or too old to
 * be undone.
 */
export function vanishTransaction(chain: Chain, signature: string): boolean {
  const at = chain.bySlotOrder.findIndex((record) => record.signature === signature);
  const undone = at < 0 ? [] : chain.bySlotOrder.slice(at);
  const changes = undone.map((record) => chain.changesOf(record.signature));
  if (undone.length === 0 || changes.includes(null)) return false;

  const before = firstStates(changes.flatMap((list) => list ?? []));
  for (const change of before.values()) chain.accounts.restore(change.address, change.before);
  const gone = [signature];
  const rerun: TxRecord[] = [];
  chain.remove(signature);
  for (const record of undone.slice(1)) {
    const again = runAgain(chain, record);
    if (again) {
      rerun.push(again.record);
      chain.replace(again.record, again.changes);
    } else {
      gone.push(record.signature);
      chain.remove(record.signature);
    }
  }
  const all = [...before.values()].map(({ address, after }) => ({
    address,
    before: after,
    after: chain.accounts.read(address),
  }));
  const others = rerun
    .flatMap((record) => chain.changesOf(record.signature) ?? [])
    .filter((change) => !before.has(change.address));
  chain.sink?.vanished({ gone, rerun, changes: [...all, ...others] });
  for (const hear of chain.onVanish) hear(gone);
  return true;
}

/** For each account its state before the first change and after the last. */
function firstStates(changes: Change[]): Map<string, Change> {
  const states = new Map<string, Change>();
  for (const change of changes) {
    const first = states.get(change.address);
    states.set(change.address, first ? { ...change, before: first.before } : change);
  }
  return states;
}

function runAgain(chain: Chain, record: TxRecord): { record: TxRecord; changes: Change[] } | null {
  const transaction = VersionedTransaction.deserialize(record.wire);
  const resolved = withLoadedKeys(transaction.message, record.meta.loadedAddresses);
  const execution = executeTransaction(machineAt(chain, record), transaction, resolved);
  if (!lands(execution.meta)) return null;
  const { slot, blockTime } = record;
  return {
    record: { ...recordOf(record.wire, transaction, resolved, execution.meta), slot, blockTime },
    changes: changesOf(resolved, execution),
  };
}
