import type { Step } from './action';

/**
 * Stake accounts that this transaction opens, with the wallet that may withdraw from them. One whose
 * authority changes again is not among them: it may be somebody else's by then.
 */
export function ownStakes(steps: readonly Step[]): ReadonlyMap<string, string> {
  const stakes = new Map<string, string>();
  for (const { action } of steps)
    if (action.kind === 'stake-owned') stakes.set(action.account, action.withdrawer);
  for (const { action } of steps)
    if (action.kind === 'stake-handed-over') stakes.delete(action.account);
  return stakes;
}
