import type { NormalTransaction } from './normalise-transaction';
import {
  LARGEST_RENT_LAMPORTS,
  rentLamports,
  TOKEN_ACCOUNT_BYTES,
  TIP_ACCOUNTS,
  TOKEN_ACCOUNT_RENT_LAMPORTS,
  WRAPPED_SOL,
} from './programs';
import type { Action } from './action';
import type { Owner, Owners } from './trace-owners';

/**
 * Lamports that went from one owner to another by an instruction.
 * - `native`: a plain transfer. `wrapped`: wrapped SOL by a token transfer.
 * - `rent`: what keeps a new or a token account alive, and its return. `tip`: to a validator.
 * - `other`: lamports that reach their owner in a way that no plain payment does.
 */
export type SolFlow = {
  kind: 'native' | 'wrapped' | 'rent' | 'tip' | 'other';
  from: Owner;
  to: Owner;
  lamports: bigint;
  program: string | null;
  extra: string[];
};

export type TokenFlow = {
  mint: string | null;
  program: string;
  from: Owner;
  to: Owner;
  amount: bigint;
  extra: string[];
};

export type Flows = {
  sol: SolFlow[];
  token: TokenFlow[];
  /** Mints whose supply an instruction changed. */
  minted: ReadonlySet<string>;
  memos: string[];
};

/**
 * Follows tokens and lamports through the actions in order, with the owners of that very moment, so that
 * accounts opened and closed on the way are seen although no balance names them. Movements of nothing
 * and between accounts of one owner are left out.
 */
export function traceFlows(
  tx: NormalTransaction,
  actions: readonly Action[],
  owners: Owners,
): Flows {
  const mints = mintsOfAccounts(tx, actions);
  const sizes = sizesOfAccounts(actions);
  const held = new Map([...tx.lamports].map(([key, { before }]) => [key, before]));
  const sol: SolFlow[] = [];
  const token: TokenFlow[] = [];
  const minted = new Set<string>();
  const memos: string[] = [];

  const move = (from: string, to: string, lamports: bigint): void => {
    held.set(from, (held.get(from) ?? 0n) - lamports);
    held.set(to, (held.get(to) ?? 0n) + lamports);
  };
  const addSol = (flow: SolFlow): void => {
    if (flow.lamports > 0n && flow.from !== flow.to) sol.push(flow);
  };
  const between = (from: string, to: string) => ({ from: owners.now(from), to: owners.now(to) });

  for (const action of actions) {
    owners.advance(action);
    switch (action.kind) {
      case 'token-transfer': {
        const { source, destination, program, amount, extra, authority } = action;
        const mint = action.mint ?? mints.get(source) ?? mints.get(destination) ?? null;
        const ends = between(source, destination);
        const known = new Set([authority, ends.from, ends.to, mint]);
        const references = extra.filter((key) => !tx.signers.has(key) && !known.has(key));
        if (mint === WRAPPED_SOL) {
          move(source, destination, amount);
          addSol({ kind: 'wrapped', ...ends, lamports: amount, program, extra: references });
        } else if (amount > 0n && ends.from !== ends.to) {
          token.push({ mint, program, ...ends, amount, extra: references });
        }
        break;
      }
      case 'sol-transfer': {
        const { from, to, lamports } = action;
        move(from, to, lamports);
        const extra = action.extra.filter((key) => !tx.signers.has(key) && key !== to);
        const ends = between(from, to);
        for (const part of splitTransfer(to, lamports, mints, sizes, owners))
          addSol({ ...part, ...ends, program: null, extra });
        break;
      }
      case 'account-created': {
        const { from, to, lamports, bytes } = action;
        move(from, to, lamports);
        const rent = least(lamports, rentLamports(bytes));
        const ends = between(from, to);
        addSol({ kind: 'rent', ...ends, lamports: rent, program: null, extra: [] });
        addSol({ kind: 'other', ...ends, lamports: lamports - rent, program: null, extra: [] });
        break;
      }
      case 'account-closed': {
        const { account, destination } = action;
        const lamports = held.get(account) ?? 0n;
        move(account, destination, lamports);
        const isWrapped = mints.get(account) === WRAPPED_SOL;
        const rent = least(
          lamports,
          isWrapped ? TOKEN_ACCOUNT_RENT_LAMPORTS : LARGEST_RENT_LAMPORTS,
        );
        const ends = between(account, destination);
        addSol({ kind: 'rent', ...ends, lamports: rent, program: null, extra: [] });
        addSol({ kind: 'other', ...ends, lamports: lamports - rent, program: null, extra: [] });
        break;
      }
      case 'mint-to':
      case 'burn': {
        const mint = action.mint ?? mints.get(action.account);
        if (action.amount > 0n && mint) minted.add(mint);
        break;
      }
      case 'memo':
        memos.push(action.text);
        break;
    }
  }
  return { sol, token, minted, memos };
}

/** What a System transfer is depends on where it goes: a wallet, a validator, a token or a new account. */
function splitTransfer(
  to: string,
  lamports: bigint,
  mints: ReadonlyMap<string, string>,
  sizes: ReadonlyMap<string, bigint>,
  owners: Owners,
): Pick<SolFlow, 'kind' | 'lamports'>[] {
  if (TIP_ACCOUNTS.has(to)) return [{ kind: 'tip', lamports }];
  const isTokenAccount = owners.isTokenAccount(to);
  const bytes = sizes.get(to) ?? (isTokenAccount ? TOKEN_ACCOUNT_BYTES : null);
  if (bytes === null) return [{ kind: 'native', lamports }];
  const isTopUp = mints.get(to) === WRAPPED_SOL && !sizes.has(to);
  const rent = isTopUp ? 0n : least(lamports, rentLamports(bytes));
  return [
    { kind: 'rent', lamports: rent },
    { kind: 'other', lamports: lamports - rent },
  ];
}

function mintsOfAccounts(tx: NormalTransaction, actions: readonly Action[]): Map<string, string> {
  const mints = new Map<string, string>();
  for (const action of actions)
    if (action.kind === 'owner-shown' && action.mint) mints.set(action.account, action.mint);
  for (const balance of [...tx.tokensBefore, ...tx.tokensAfter])
    mints.set(balance.account, balance.mint);
  return mints;
}

/** Accounts that an instruction allocated or gave to a program, with the largest size it named. */
function sizesOfAccounts(actions: readonly Action[]): Map<string, bigint> {
  const sizes = new Map<string, bigint>();
  for (const action of actions) {
    if (action.kind !== 'account-sized') continue;
    const known = sizes.get(action.account) ?? 0n;
    sizes.set(action.account, action.bytes > known ? action.bytes : known);
  }
  return sizes;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
