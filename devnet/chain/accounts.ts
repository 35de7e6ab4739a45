import { SYSVAR_OWNER, UPGRADEABLE_LOADER } from './addresses';
import type { Acct } from './emulator';
import type { Svm } from './svm';

export type Accounts = ReturnType<typeof openAccounts>;

/**
 * The accounts of the chain. Accounts that transactions touched are mirrored here, because reading
 * them from the virtual machine copies them each time. Programs and sysvars stay in the machine.
 * Values are never changed in place, so an old one can be kept as the state before a transaction.
 */
export function openAccounts(svm: Svm) {
  const touched = new Map<string, Acct | null>();
  const programs = new Map<string, Acct>();
  /**
   * Emulated programs exist only here, because LiteSVM refuses executable accounts without an ELF.
   */
  const virtualPrograms = new Set<string>();

  function read(address: string): Acct | null {
    const known = touched.get(address) ?? programs.get(address);
    if (known) return known;
    if (touched.has(address)) return null;
    if (virtualPrograms.has(address)) return virtualProgram();
    const account = svm.read(address);
    if (account?.executable && account.owner !== SYSVAR_OWNER) programs.set(address, account);
    return account;
  }

  function write(address: string, account: Acct | null): void {
    svm.write(address, account);
    touched.set(address, account);
  }

  return {
    virtualPrograms,
    read,
    write,
    /** Copies an account's changes from the virtual machine. */
    refresh(address: string): Acct | null {
      const account = svm.read(address);
      const before = touched.get(address);
      if (account?.executable || (!account && before === undefined)) return account;
      // An unchanged value keeps its identity, so it need not be saved again.
      const kept = before && account && sameAccount(before, account) ? before : account;
      touched.set(address, kept);
      return kept;
    },
    /** Puts an earlier value back. */
    restore(address: string, account: Acct | null): void {
      if (account?.executable || read(address) === account) return;
      write(address, account);
    },
    /** All accounts owned by a program, with the few that the machine starts with. */
    ownedBy(program: string): string[] {
      const mine = [...touched].filter(([, a]) => a?.owner === program).map(([address]) => address);
      const born = svm.ownedBy(program).filter((address) => !touched.has(address));
      return [...mine, ...born];
    },
    all: (): ReadonlyMap<string, Acct | null> => touched,
  };
}

function sameAccount(a: Acct, b: Acct): boolean {
  return a.lamports === b.lamports && a.owner === b.owner && Buffer.compare(a.data, b.data) === 0;
}

function virtualProgram(): Acct {
  return {
    lamports: 1_141_440n,
    owner: UPGRADEABLE_LOADER,
    data: new Uint8Array(36),
    executable: true,
  };
}
