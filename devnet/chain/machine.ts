import type { Accounts } from './accounts';
import type { ChainState, Emulator } from './emulator';
import type { SlotClock } from './slot-clock';
import type { Svm } from './svm';

/** Everything that running a transaction needs. */
export type Machine = {
  svm: Svm;
  accounts: Accounts;
  clock: SlotClock;
  emulators: ReadonlyMap<string, Emulator>;
};

/** Emulated programs change data in place, so they get copies. */
export function stateOf({ accounts, svm, clock }: Machine): ChainState {
  return {
    get: (address) => {
      const account = accounts.read(address);
      return account && { ...account, data: account.data.slice() };
    },
    set: (address, account) => accounts.write(address, account),
    rent: (bytes) => svm.rent(bytes),
    slot: () => clock.slot(),
  };
}

/**
 * The machine in the state of one block, so that a program reads the slot and time of its record.
 */
export function machineAt(machine: Machine, at: { slot: number; blockTime: number }): Machine {
  const { svm, accounts, clock, emulators } = machine;
  const stopped = { ...clock, slot: () => at.slot, now: () => at.blockTime };
  return { svm, accounts, emulators, clock: stopped };
}
