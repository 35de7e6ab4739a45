import type { NormalTransaction } from './normalise-transaction';
import { LARGEST_RENT_LAMPORTS } from './programs';
import type { SolFlow } from './trace-flows';
import type { Owner, Owners } from './trace-owners';

/**
 * Lamports an owner gained (or lost, below zero) over all its accounts beyond the network fee and beyond
 * what instructions show: programs may move lamports of their own accounts without any instruction.
 */
export function unexplainedLamports(
  tx: NormalTransaction,
  owners: Owners,
  flows: readonly SolFlow[],
  owner: Owner,
): bigint {
  let change = owner === tx.feePayer ? tx.fee : 0n;
  for (const [account, { before, after }] of tx.lamports) {
    if (owners.before(account) === owner) change -= before;
    if (owners.after(account) === owner) change += after;
  }
  for (const flow of flows) {
    if (flow.to === owner) change -= flow.lamports;
    if (flow.from === owner) change += flow.lamports;
  }
  return change;
}

/**
 * The most that can be rent coming back from program accounts that were emptied without an instruction
 * showing where to: the whole balance of each, but no more than the rent of a 10 KiB account.
 */
export function refundableRent(tx: NormalTransaction, owners: Owners): bigint {
  let total = 0n;
  for (const [account, { before, after }] of tx.lamports) {
    if (before === 0n || after !== 0n || owners.isTokenAccount(account)) continue;
    if (tx.signers.has(account)) continue;
    total += before < LARGEST_RENT_LAMPORTS ? before : LARGEST_RENT_LAMPORTS;
  }
  return total;
}
