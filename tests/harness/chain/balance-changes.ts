import type { Movements } from '@quittance/verify/chain/movements';
import { normaliseTransaction } from '@quittance/verify/chain/normalise-transaction';
import { WRAPPED_SOL } from '@quittance/verify/chain/programs';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';

/** By `asset owner`: the change of a balance. No zeros. */
export type ByOwner = Record<string, bigint>;

/**
 * Changes of balances in the answer of a node, by owner and token, computed without the reader.
 * Owners are those that the node recorded. An account without an owner counts as its own owner. SOL
 * is all lamports, including rent and wrapped SOL. `whole`: by token alone, for answers from before
 * nodes recorded owners.
 */
export function changesOf(raw: RawTransaction, o: { whole: boolean }): ByOwner {
  const tx = normaliseTransaction(raw);
  if (typeof tx === 'string') throw new Error(tx);
  const ownersBefore = new Map(tx.tokensBefore.map(({ account, owner }) => [account, owner]));
  const ownersAfter = new Map(tx.tokensAfter.map(({ account, owner }) => [account, owner]));
  const ownerOf = (account: string, first: typeof ownersBefore, second: typeof ownersBefore) =>
    first.get(account) ?? second.get(account) ?? account;
  const changes: ByOwner = {};
  const add = (asset: string, owner: string, amount: bigint): void => {
    const key = o.whole ? asset : `${asset} ${owner}`;
    changes[key] = (changes[key] ?? 0n) + amount;
  };
  for (const [account, { before, after }] of tx.lamports) {
    add('SOL', ownerOf(account, ownersBefore, ownersAfter), -before);
    add('SOL', ownerOf(account, ownersAfter, ownersBefore), after);
  }
  for (const { account, mint, amount } of tx.tokensBefore)
    if (mint !== WRAPPED_SOL) add(mint, ownerOf(account, ownersBefore, ownersAfter), -amount);
  for (const { account, mint, amount } of tx.tokensAfter)
    if (mint !== WRAPPED_SOL) add(mint, ownerOf(account, ownersAfter, ownersBefore), amount);
  return withoutZeros(changes);
}

/** Legs and left-out changes, added up in the same way. */
export function sumOf({ legs, leftOut }: Movements, o: { whole: boolean }): ByOwner {
  const sums: ByOwner = {};
  const add = (mint: string | null, owner: string | null, amount: bigint): void => {
    if (owner === null) return;
    const asset = mint === null || mint === WRAPPED_SOL ? 'SOL' : mint;
    const key = o.whole ? asset : `${asset} ${owner}`;
    sums[key] = (sums[key] ?? 0n) + amount;
  };
  for (const leg of legs)
    add(leg.mint, leg.owner, leg.direction === 'got' ? leg.amount : -leg.amount);
  for (const one of leftOut) {
    add(one.mint, one.from, -one.amount);
    add(one.mint, one.to, one.amount);
  }
  return withoutZeros(sums);
}

function withoutZeros(sums: ByOwner): ByOwner {
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0n));
}
