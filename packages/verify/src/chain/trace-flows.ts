import type { Step } from './action';
import { referencesOf } from './flow';
import type { LeftOut } from './movements';
import type { NormalTransaction } from './normalise-transaction';
import { assetOf } from './programs';
import { openSolBook, type SolBook } from './trace-sol';
import type { Owners } from './trace-owners';

/** What instructions show: who moved what to whom, and what of it is no leg. */
export type Flows = Pick<SolBook, 'flows' | 'leftOut' | 'poured' | 'held'> & { memos: string[] };

/**
 * Follows tokens and SOL through the actions in order, with the owners of that very moment, so that accounts
 * opened and closed on the way are seen although no balance names them. Movements of nothing are left out.
 */
export function traceFlows(tx: NormalTransaction, steps: readonly Step[], owners: Owners): Flows {
  const mints = mintsOfAccounts(tx, steps);
  const decimals = new Map(
    [...tx.tokensBefore, ...tx.tokensAfter].map((balance) => [balance.mint, balance.decimals]),
  );
  const sol = openSolBook({ tx, steps, owners, mints });
  const { flows, leftOut } = sol;
  const memos: string[] = [];
  const leave = (one: Omit<LeftOut, 'decimals'> & { mint: string }): void => {
    if (one.amount > 0n) leftOut.push({ ...one, decimals: decimals.get(one.mint) ?? 0 });
  };

  for (const step of steps) {
    const { action } = step;
    sol.take(step);
    owners.advance(action);
    if (action.kind === 'memo') memos.push(action.text);
    if (action.kind === 'mint-to' || action.kind === 'burn') {
      const { account, amount } = action;
      const mint = action.mint ?? mints.get(account);
      if (mint === undefined) continue;
      const owner = owners.now(account);
      if (action.kind === 'burn')
        leave({ reason: 'burned', from: owner, to: null, account, mint, amount });
      else leave({ reason: 'minted', from: null, to: owner, account, mint, amount });
    }
    if (action.kind === 'token-transfer') {
      const { source, destination: account, program, amount } = action;
      const mint = action.mint ?? mints.get(source) ?? mints.get(account);
      if (mint === undefined || assetOf(mint) === null || amount === 0n) continue;
      const [from, to] = [owners.now(source), owners.now(account)];
      if (from === to) leave({ reason: 'self_transfer', from, to, account, mint, amount });
      else {
        const extra = referencesOf(tx, action, [from, to, mint]);
        const { callers } = step;
        flows.push({ asset: mint, from, to, amount, program, isTransfer: true, extra, callers });
      }
    }
  }
  return { flows, leftOut, poured: sol.poured, held: sol.held, memos };
}

function mintsOfAccounts(tx: NormalTransaction, steps: readonly Step[]): Map<string, string> {
  const mints = new Map<string, string>();
  for (const { action } of steps)
    if (action.kind === 'owner-shown' && action.mint) mints.set(action.account, action.mint);
  for (const balance of [...tx.tokensBefore, ...tx.tokensAfter])
    mints.set(balance.account, balance.mint);
  return mints;
}
