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
  /**
   * Owner of an account before the first instruction; the account itself if it is not a token
   * account.
   */
  before(account: string): Owner;
  /** Its owner after the last instruction. */
  after(account: string): Owner;
  /** Takes the next action into account; {@link Owners.now} then answers for the moment after it. */
  advance(action: Action): void;
  now(account: string): Owner;
  isTokenAccount(account: string): boolean;
};

type Known = Map<string, string | null>;

/**
 * Finds the owner of each token account, from the transaction alone. It uses three sources. The
 * first is the owners that the node recorded with the balances. The second is accounts opened
 * (InitializeAccount, associated token program) or handed over (SetAuthority) in it. The third is
 * approvals, which only an owner can give.
 *
 * The authority of a transfer is no evidence: it may be a delegate. An address derived for a wallet
 * is none either: it may have been handed over. An account that the transaction opens belongs to
 * its first owner from the start, with everything that was sent there before.
 */
export function traceOwners(tx: NormalTransaction, actions: readonly Action[]): Owners {
  const { before, after, tokenAccounts } = ownersAtTheEnds(tx, actions);
  const current: Known = new Map(before);
  const final: Known = new Map(before);
  actions.forEach((action, place) => {
    step(final, action, actions, place);
  });
  let place = -1;
  const of = (owners: Known, account: string): Owner =>
    tokenAccounts.has(account) ? (owners.get(account) ?? unknownOwner(account)) : account;
  return {
    before: (account) => of(before, account),
    after: (account) => after.get(account) ?? of(final, account),
    advance: (action) => {
      place += 1;
      step(current, action, actions, place);
    },
    now: (account) => of(current, account),
    isTokenAccount: (account) => tokenAccounts.has(account),
  };
}

function ownersAtTheEnds(tx: NormalTransaction, actions: readonly Action[]) {
  const before: Known = new Map();
  const after: Known = new Map();
  for (const balance of tx.tokensBefore) before.set(balance.account, balance.owner);
  for (const balance of tx.tokensAfter) after.set(balance.account, balance.owner);
  const existed = new Set(before.keys());
  const tokenAccounts = new Set([...before.keys(), ...after.keys()]);
  const changed = new Set<string>();
  for (const action of actions) {
    if (action.kind !== 'owner-shown' && action.kind !== 'owner-changed') continue;
    const { account } = action;
    tokenAccounts.add(account);
    const isEarly = !changed.has(account) && !before.get(account);
    if (action.kind === 'owner-changed') {
      if (isEarly) before.set(account, action.from);
      changed.add(account);
    } else if (!action.opened) {
      if (isEarly) before.set(account, action.owner);
    } else {
      if (isEarly && !existed.has(account)) before.set(account, action.owner);
      changed.add(account);
    }
  }
  for (const account of tokenAccounts)
    if (!changed.has(account) && !before.get(account))
      before.set(account, after.get(account) ?? null);
  return { before, after, tokenAccounts };
}

/** A closed account that is opened again belongs to its next owner from then on. */
function step(owners: Known, action: Action, actions: readonly Action[], place: number): void {
  if (action.kind === 'owner-shown') owners.set(action.account, action.owner);
  if (action.kind === 'owner-changed') owners.set(action.account, action.to);
  if (action.kind !== 'account-closed') return;
  const { account } = action;
  const next = actions
    .slice(place + 1)
    .find((later) => later.kind === 'owner-shown' && later.account === account && later.opened);
  if (next?.kind === 'owner-shown') owners.set(account, next.owner);
}
