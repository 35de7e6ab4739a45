import type { Action, Step } from './action';
import type { LeftOut, LeftOutReason } from './movements';
import type { NormalTransaction } from './normalise-transaction';
import {
  assetOf,
  isExactRent,
  LARGEST_TOKEN_RENT_LAMPORTS,
  rentLamports,
  SOL_DECIMALS,
  TOKEN,
  TOKEN_ACCOUNT_RENT_LAMPORTS,
} from './programs';
import { planRent } from './rent';
import { TIPS } from './tips';
import type { Owner, Owners } from './trace-owners';

/** Size of a nonce account (system program). */
const NONCE_BYTES = 80n;

export type SolBook = {
  flows: Flow[];
  leftOut: LeftOut[];
  /** Lamports sent into accounts, which may fund them instead of paying anybody. */
  poured: { flow: Flow; account: string }[];
  /** Lamports in each account after the instructions. */
  held: ReadonlyMap<string, bigint>;
  /** Takes the next action, before its change of owners. */
  take(step: Step): void;
};

type Ends = { from: Owner; to: Owner; account: string; amount: bigint };
type How = Pick<Flow, 'program' | 'isTransfer' | 'extra' | 'callers'>;

/** How lamports move that come along with an account. */
const ALONG: How = { program: null, isTransfer: false, extra: [], callers: [] };

/**
 * Follows lamports, native and wrapped, from owner to owner. Sets aside movements that are not
 * legs: rent, tips, and transfers between accounts of one owner.
 */
export function openSolBook(o: {
  tx: NormalTransaction;
  steps: readonly Step[];
  owners: Owners;
  mints: ReadonlyMap<string, string>;
  /** With a time, accounts that were listed later take no tips. */
  tableOf?: Date | undefined;
}): SolBook {
  const { tx, owners, mints } = o;
  const held = new Map([...tx.lamports].map(([key, { before }]) => [key, before]));
  const rent = planRent(o.steps);
  const stakes = ownStakes(o.steps);
  const book: Pick<SolBook, 'flows' | 'leftOut' | 'poured'> = {
    flows: [],
    leftOut: [],
    poured: [],
  };
  const holds = (account: string): bigint => held.get(account) ?? 0n;
  const isWrapped = (account: string): boolean => assetOf(mints.get(account) ?? '') === null;
  /** Whether an account may: those of the first token program cannot. */
  const hasExtensions = (account: string): boolean =>
    [...tx.tokensBefore, ...tx.tokensAfter].every(
      (balance) => balance.account !== account || balance.tokenProgram !== TOKEN,
    );

  const move = (from: string, to: string, lamports: bigint): void => {
    held.set(from, holds(from) - lamports);
    held.set(to, holds(to) + lamports);
  };
  const leave = (reason: LeftOutReason, ends: Ends): void => {
    if (ends.amount > 0n)
      book.leftOut.push({ reason, mint: null, decimals: SOL_DECIMALS, ...ends });
  };
  const flow = (ends: Ends, how: How): void => {
    if (ends.from === ends.to) return leave('self_transfer', ends);
    const { from, to, amount } = ends;
    if (amount > 0n) book.flows.push({ asset: null, from, to, amount, ...how });
  };

  /**
   * Lamports into an account: first the rent that it still needs, then a tip, funding or a payment.
   */
  const pour = (sent: { from: string; to: string; lamports: bigint }, how: How): void => {
    const account = sent.to;
    const [from, to] = [owners.now(sent.from), owners.now(account)];
    let amount = sent.lamports;
    const takeOff = (reason: LeftOutReason, part: bigint): void => {
      leave(reason, { from, to, account, amount: part });
      amount -= part;
    };
    takeOff('rent_opened', rent.opening(account, { amount, held: holds(account) }));
    takeOff('rent_grown', rent.growing(account, amount));
    move(sent.from, account, sent.lamports);
    if (amount === 0n) return;
    const ends = { from, to, account, amount };
    if (TIPS.has(account, o.tableOf)) return leave('tip', ends);
    if (stakes.get(account) === from) return leave('self_transfer', ends);
    if (from === to || isWrapped(account)) return flow(ends, how);
    book.poured.push({ account, flow: { asset: null, from, to, amount, ...how } });
  };

  /** The lamports of an account go elsewhere with its rent, which is set aside. */
  const passOn = (reason: LeftOutReason, ends: Ends, rentPart: bigint): void => {
    const part = ends.amount < rentPart ? ends.amount : rentPart;
    leave(reason, { ...ends, amount: part });
    flow({ ...ends, amount: ends.amount - part }, ALONG);
  };

  /** Only the withdrawer can take SOL out, so SOL that goes to that wallet was its own before. */
  const withdraw = (o: Extract<Action, { kind: 'stake-withdrawn' }>): void => {
    const { account, authority, lamports: amount } = o;
    const to = owners.now(o.to);
    const rentPart = amount === holds(account) ? rentLamports(o.bytes) : 0n;
    move(account, o.to, amount);
    const ends = { from: owners.now(account), to, account, amount };
    if (to !== authority) return passOn('rent_returned', ends, rentPart);
    const part = amount < rentPart ? amount : rentPart;
    leave('rent_returned', { ...ends, amount: part });
    leave('self_transfer', { ...ends, amount: amount - part });
  };

  /**
   * Rent inside a token account: without its wrapped SOL and lamports added to it. An account with
   * extensions is larger. Only its lamports show its size, if they are exactly the rent of a size.
   */
  const rentIn = (account: string, lamports: bigint): bigint => {
    if (!isWrapped(account)) {
      const isLarger =
        isExactRent(lamports) && lamports <= LARGEST_TOKEN_RENT_LAMPORTS && hasExtensions(account);
      return isLarger ? lamports : TOKEN_ACCOUNT_RENT_LAMPORTS;
    }
    const known = tx.tokensBefore.find((balance) => balance.account === account);
    const before = tx.lamports.get(account)?.before ?? 0n;
    const reserve = known ? before - known.amount : TOKEN_ACCOUNT_RENT_LAMPORTS;
    return reserve < TOKEN_ACCOUNT_RENT_LAMPORTS ? reserve : TOKEN_ACCOUNT_RENT_LAMPORTS;
  };

  const take = ({ action, callers }: Step): void => {
    if (action.kind === 'sol-transfer') {
      const extra = referencesOf(tx, { ...action, authority: action.from }, [action.to]);
      pour(action, { program: null, isTransfer: true, extra, callers });
    } else if (action.kind === 'account-created') {
      pour(action, { program: null, isTransfer: true, extra: [], callers });
    } else if (action.kind === 'nonce-withdrawn') {
      const { from: account, to, lamports: amount } = action;
      const isEmptied = amount === holds(account);
      move(account, to, amount);
      const ends = { from: owners.now(account), to: owners.now(to), account, amount };
      passOn('rent_returned', ends, isEmptied ? rentLamports(NONCE_BYTES) : 0n);
    } else if (action.kind === 'stake-withdrawn') {
      withdraw(action);
    } else if (action.kind === 'stake-moved') {
      const { from, to, lamports } = action;
      const amount = lamports ?? holds(from);
      move(from, to, amount);
      leave('self_transfer', { from: owners.now(from), to: owners.now(to), account: to, amount });
    } else if (action.kind === 'account-closed') {
      const { account, destination } = action;
      const ends = { from: owners.now(account), to: owners.now(destination), account };
      const amount = holds(account);
      move(account, destination, amount);
      passOn('rent_returned', { ...ends, amount }, rentIn(account, amount));
    } else if (action.kind === 'owner-changed' && action.to !== null) {
      const { account, to } = action;
      const ends = { from: owners.now(account), to, account, amount: holds(account) };
      if (ends.from !== to) passOn('rent_handed_over', ends, rentIn(account, ends.amount));
    } else if (action.kind === 'token-transfer' && isSol(action, mints)) {
      const { source, destination: account, amount, program } = action;
      move(source, account, amount);
      const [from, to] = [owners.now(source), owners.now(account)];
      const extra = referencesOf(tx, action, [from, to, mints.get(account) ?? '']);
      flow({ from, to, account, amount }, { program, isTransfer: true, extra, callers });
    }
  };
  return { ...book, held, take };
}

function isSol(
  { mint, source, destination }: Extract<Action, { kind: 'token-transfer' }>,
  mints: ReadonlyMap<string, string>,
): boolean {
  const named = mint ?? mints.get(source) ?? mints.get(destination);
  return named !== undefined && assetOf(named) === null;
}

/** An amount of one token that instructions show to go from one owner to another. */
export type Flow = {
  /** Mint; null for SOL, native and wrapped. */
  asset: string | null;
  from: Owner;
  to: Owner;
  amount: bigint;
  /** Token program that moved it; null for native SOL. */
  program: string | null;
  /** Whether a transfer shows it, and not the closing or the handing over of an account. */
  isTransfer: boolean;
  /** Accounts on the transfer that it has no use for. */
  extra: string[];
  /** Programs that may have called for it. */
  callers: readonly string[];
};

/** Accounts in a transfer that the token program does not use: neither signers nor parties. */
export function referencesOf(
  tx: NormalTransaction,
  transfer: { extra: string[]; authority: string | null },
  parties: readonly string[],
): string[] {
  const known = new Set<string | null>([transfer.authority, ...parties]);
  return transfer.extra.filter((key) => !tx.signers.has(key) && !known.has(key));
}

/**
 * Stake accounts that this transaction opens, with the wallet that may withdraw from them. One whose
 * authority changes again is not among them: it may be somebody else's by then.
 */
function ownStakes(steps: readonly Step[]): ReadonlyMap<string, string> {
  const stakes = new Map<string, string>();
  for (const { action } of steps)
    if (action.kind === 'stake-owned') stakes.set(action.account, action.withdrawer);
  for (const { action } of steps)
    if (action.kind === 'stake-handed-over') stakes.delete(action.account);
  return stakes;
}
