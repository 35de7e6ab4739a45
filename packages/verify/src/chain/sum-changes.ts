import type { NormalTransaction } from './normalise-transaction';
import { WRAPPED_SOL } from './programs';
import type { Owner, Owners } from './trace-owners';

/** By asset (null: SOL), then by owner: how much its balances changed. Zeros may be among them. */
export type Changes = Map<string | null, Map<Owner, bigint>>;

/**
 * How the balances of each owner changed, over all its accounts. SOL is what all of them hold in lamports,
 * wrapped SOL and rent included. What an account holds counts for its owner before and for its owner after,
 * who may differ. A missing token balance means an empty or absent account.
 */
export function sumChanges(tx: NormalTransaction, owners: Owners): Changes {
  const changes: Changes = new Map();
  const add = (asset: string | null, owner: Owner, amount: bigint): void => {
    const ofAsset = changes.get(asset) ?? new Map<Owner, bigint>();
    ofAsset.set(owner, (ofAsset.get(owner) ?? 0n) + amount);
    changes.set(asset, ofAsset);
  };
  for (const [account, { before, after }] of tx.lamports) {
    add(null, owners.before(account), -before);
    add(null, owners.after(account), after);
  }
  for (const { account, mint, owner, amount } of tx.tokensBefore)
    if (mint !== WRAPPED_SOL) add(mint, owner ?? owners.before(account), -amount);
  for (const { account, mint, owner, amount } of tx.tokensAfter)
    if (mint !== WRAPPED_SOL) add(mint, owner ?? owners.after(account), amount);
  return changes;
}
