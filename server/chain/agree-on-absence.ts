import { AGREEING_NODES } from './node-statuses';
import type { NodeProof } from './prove-absence';

export type Agreement =
  /** Enough nodes have read the whole window: it can never land. */
  | { state: 'gone' }
  /** It may land or have landed: look again. */
  | { state: 'open' }
  /** Its last valid height is final, and the nodes cannot prove what became of it. */
  | { state: 'undecided'; reason: string };

/** What the nodes together prove, when none of them knows the transaction. */
export function agreeOnAbsence(
  proofs: readonly Exclude<NodeProof, { state: 'held' }>[],
): Agreement {
  const needed = Math.min(AGREEING_NODES, proofs.length);
  const count = (state: NodeProof['state']) =>
    proofs.filter((proof) => proof.state === state).length;
  const [absent, early] = [count('absent'), count('early')];
  if (needed > 0 && absent >= needed) return { state: 'gone' };
  if (absent + early >= needed) return { state: 'open' };
  const reasons = proofs.flatMap((proof, node) =>
    proof.state === 'unproven' ? [`node ${node + 1}: ${proof.reason}`] : [],
  );
  return {
    state: 'undecided',
    reason: `${absent} of ${needed} nodes prove that it did not land (${reasons.join('; ')})`,
  };
}
