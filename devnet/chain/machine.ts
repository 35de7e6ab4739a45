import type { Accounts } from './accounts';
import type { ChainState, Emulator } from './emulator';
import type { SlotClock } from './slot-clock';
import type { Svm } from './svm';

/** All that running a transaction needs. */
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
