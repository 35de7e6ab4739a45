import type { Step } from './action';
import type { LeftOut } from './movements';
import type { NormalTransaction } from './normalise-transaction';
import { isExactRent, rentLamports, SOL_DECIMALS, SYSTEM, TOKEN_ACCOUNT_BYTES } from './programs';
import type { Owners } from './trace-owners';

type RentPlan = {
  /** How much of a sum is rent of an account that is opened and holds so much already. */
  opening(account: string, o: { amount: bigint; held: bigint }): bigint;
  /**
   * How much of a sum is rent for bytes that instructions add to an account. Each byte is paid for
   * once.
   */
  growing(account: string, amount: bigint): bigint;
  /** The size of an account that the transaction opens; undefined for one that was there. */
  bytesOf(account: string): bigint | undefined;
};

/** Which accounts a transaction opens or makes larger, and the rent that takes. */
export function planRent(steps: readonly Step[]): RentPlan {
  const sizes = new Map<string, bigint>();
  const growth = new Map<string, bigint>();
  const size = (account: string, bytes: bigint): void => {
    const known = sizes.get(account) ?? 0n;
    sizes.set(account, bytes > known ? bytes : known);
  };
  const opened = new Set<string>();
  for (const { action } of steps) {
    if (action.kind === 'account-created' && (action.bytes > 0n || isProgram(action.owner)))
      size(action.to, action.bytes);
    if (action.kind === 'account-sized' && (action.bytes > 0n || isProgram(action.owner)))
      size(action.account, action.bytes);
    if (action.kind === 'owner-shown' && action.opened) opened.add(action.account);
    if (action.kind === 'account-grown')
      growth.set(action.account, (growth.get(action.account) ?? 0n) + action.lamports);
  }
  for (const account of opened) if (!sizes.has(account)) sizes.set(account, TOKEN_ACCOUNT_BYTES);
  return {
    opening: (account, { amount, held }) => {
      const bytes = sizes.get(account);
      return bytes === undefined ? 0n : least(amount, rentLamports(bytes) - held);
    },
    growing: (account, amount) => {
      const left = growth.get(account) ?? 0n;
      const part = least(amount, left);
      growth.set(account, left - part);
      return part;
    },
    bytesOf: (account) => sizes.get(account),
  };
}

function isProgram(owner: string | null): boolean {
  return owner !== null && owner !== SYSTEM;
}

/** The smaller of two, never below zero. */
function least(a: bigint, b: bigint): bigint {
  const smaller = a < b ? a : b;
  return smaller > 0n ? smaller : 0n;
}

type Sum = { account: string; lamports: bigint };

/**
 * Rent that comes back from program accounts which were emptied without an instruction that shows
 * the receiver. For an account that the transaction opened it is the rent of its size. For any
 * other, the size is not in the transaction. It counts as rent only if the account held exactly the
 * rent of some size: everything else was paid out. Each goes to the account that gained exactly as
 * much, otherwise to those that gained most. `unexplained`: the gain or loss (below zero) of each
 * account beyond the amounts that instructions show.
 */
export function returnRent(o: {
  tx: NormalTransaction;
  owners: Owners;
  unexplained: ReadonlyMap<string, bigint>;
  bytesOf: (account: string) => bigint | undefined;
}): LeftOut[] {
  const { tx, owners, unexplained, bytesOf } = o;
  const closed = [...unexplained].flatMap(([account, change]): Sum[] => {
    if (change >= 0n || !isClosed(tx, owners, account)) return [];
    const lamports = rentWithin(-change, bytesOf(account));
    return lamports > 0n ? [{ account, lamports }] : [];
  });
  const gained = [...unexplained]
    .filter(([, lamports]) => lamports > 0n)
    .map(([account, lamports]): Sum => ({ account, lamports }))
    .sort((a, b) => (a.lamports > b.lamports ? -1 : 1));
  const returned: LeftOut[] = [];
  for (const one of closed) {
    const exact = gained.find(({ lamports }) => lamports === one.lamports);
    for (const receiver of exact ? [exact] : gained) {
      const amount = one.lamports < receiver.lamports ? one.lamports : receiver.lamports;
      if (amount === 0n) continue;
      one.lamports -= amount;
      receiver.lamports -= amount;
      returned.push({
        reason: 'rent_returned',
        from: owners.before(one.account),
        to: owners.after(receiver.account),
        account: one.account,
        mint: null,
        decimals: SOL_DECIMALS,
        amount,
      });
    }
  }
  return returned;
}

function rentWithin(lamports: bigint, bytes: bigint | undefined): bigint {
  if (bytes === undefined) return isExactRent(lamports) ? lamports : 0n;
  const rent = rentLamports(bytes);
  return rent < lamports ? rent : lamports;
}

/** Only a program can empty an account without an instruction; a signer is a wallet that spends its own. */
function isClosed(tx: NormalTransaction, owners: Owners, account: string): boolean {
  return (
    tx.lamports.get(account)?.after === 0n &&
    !owners.isTokenAccount(account) &&
    !tx.signers.has(account)
  );
}
