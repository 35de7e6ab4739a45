import { glanceAt, type Verdict } from './judge-attempt';
import { readLeaf } from './read-leaf';
import { judgeLanded, writeLeaf, type LandedMint } from './record-leaf';
import { reopenMint } from './reopen-mint';
import { sendMint } from './send-mint';

export type LookResult =
  | { state: 'closed' }
  | { state: 'not_yet' }
  /** The mint transaction is gone for good: sign another. */
  | { state: 'reopened' }
  | { state: 'lost_lease' };

/**
 * Looks at a completed mint again. Final: its leaf is read once more, since a fork may have given it
 * another slot and place, and the mint is closed. Gone for good: the mint is opened again. Neither: the
 * same bytes are sent once more where no node has them, and the answer is `not_yet`. Throws
 * RpcUnavailable.
 */
export async function lookAgain(o: LandedMint): Promise<LookResult> {
  if (o.mint.finalAt !== null) return { state: 'closed' };
  const verdict = await judge(o);
  if (verdict.state === 'landed') return verdict.isFinal ? close(o) : { state: 'not_yet' };
  if (verdict.state === 'undecided') return { state: 'not_yet' };
  if (verdict.state === 'in_flight') {
    await sendMint(o);
    return { state: 'not_yet' };
  }
  // A node that still serves it contradicts the others: nothing is minted again on such a word.
  if (await isServed(o, verdict.state)) return { state: 'not_yet' };
  const reopened = await reopenMint({ ...o, outcome: verdict.state });
  return { state: reopened === 'done' ? 'reopened' : reopened };
}

/** The cheap question first: nearly always the transaction is there. */
async function judge(o: LandedMint): Promise<Verdict> {
  const seen = await glanceAt(o);
  return seen.state === 'landed' ? seen : judgeLanded(o);
}

async function close(o: LandedMint): Promise<LookResult> {
  const minted = await readLeaf({ ...o, commitment: 'finalized' });
  if (!minted) return { state: 'not_yet' };
  const closed = await writeLeaf({ ...o, minted, stage: 'closed' });
  return { state: closed === 'done' ? 'closed' : closed };
}

/** Whether any node still has the transaction; as a success, where the others say that it failed. */
async function isServed(
  { rpc, attempt }: LandedMint,
  said: 'expired' | 'failed',
): Promise<boolean> {
  const asked = Array.from({ length: rpc.nodes }, (_, node) =>
    rpc.onNode(node).getTransaction(attempt.signature, 'confirmed'),
  );
  return (await Promise.all(asked)).some(
    (raw) => raw !== null && (said === 'expired' || (raw.meta !== null && !raw.meta?.err)),
  );
}
