import type { NormalTransaction } from './normalise-transaction';
import type { Action } from './action';

/** A wallet, or {@link unknownOwner} of a token account whose owner the transaction does not prove. */
export type Owner = string;

const UNKNOWN = '?';

function unknownOwner(account: string): Owner {
  return `${UNKNOWN}${account}`;
}

export function isUnknown(owner: Owner): boolean {
  return owner.startsWith(UNKNOWN);
}

export type Owners = {
  /** Who owns an account before the first instruction; the account itself if it is no token account. */
  before(account: string): Owner;
  /** Who owns it after the last one. */
  after(account: string): Owner;
  /** Takes one action into account; {@link Owners.now} then answers for the moment after it. */
  advance(action: Action): void;
  now(account: string): Owner;
  isTokenAccount(account: string): boolean;
};

/**
 * Finds out who owns each token account, from the transaction alone: the owners that the node wrote
 * beside the balances, accounts opened (InitializeAccount, associated token program) or handed over
 * (SetAuthority) on the way, and approvals, which only an owner can give. The authority of a transfer is
 * no evidence: it may be a delegate. An address derived for a wallet is none either: it may have been
 * handed over.
 */
export function traceOwners(tx: NormalTransaction, actions: readonly Action[]): Owners {
  const before = new Map<string, string | null>();
  const after = new Map<string, string | null>();
  for (const balance of tx.tokensBefore) before.set(balance.account, balance.owner);
  for (const balance of tx.tokensAfter) after.set(balance.account, balance.owner);

  const tokenAccounts = new Set([...before.keys(), ...after.keys()]);
  const changed = new Set<string>();
  for (const action of actions) {
    if (action.kind === 'owner-shown') {
      tokenAccounts.add(action.account);
      const isEarly = !changed.has(action.account) && !action.opened;
      if (isEarly && !before.get(action.account)) before.set(action.account, action.owner);
    }
    if (action.kind === 'owner-changed') {
      tokenAccounts.add(action.account);
      if (!changed.has(action.account) && !before.get(action.account))
        before.set(action.account, action.from);
      changed.add(action.account);
    }
    if (action.kind === 'owner-shown' && action.opened) changed.add(action.account);
  }
  for (const account of tokenAccounts)
    if (!changed.has(account) && !before.get(account))
      before.set(account, after.get(account) ?? null);

  const current = new Map(before);
  const final = new Map(before);
  for (const action of actions) step(final, action);
  const of = (owners: Map<string, string | null>, account: string): Owner =>
    tokenAccounts.has(account) ? (owners.get(account) ?? unknownOwner(account)) : account;
  return {
    before: (account) => of(before, account),
    after: (account) => after.get(account) ?? of(final, account),
    advance: (action) => {
      step(current, action);
    },
    now: (account) => of(current, account),
    isTokenAccount: (account) => tokenAccounts.has(account),
  };
}

function step(owners: Map<string, string | null>, action: Action): void {
  if (action.kind === 'owner-shown') owners.set(action.account, action.owner);
  if (action.kind === 'owner-changed') owners.set(action.account, action.to);
}
