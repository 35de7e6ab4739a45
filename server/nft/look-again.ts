import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { signatureFinality } from '@/server/chain/signature-finality';
import { glanceAt, type Verdict } from './judge-attempt';
import { readLeaf } from './read-leaf';
import { isClosedOnRecord, judgeLanded, writeLeaf, type LandedMint } from './record-leaf';
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
 * another slot and place, and the mint is closed once a second node knows it as well. Gone for good, or closed on record by the
 * operator: the mint is opened again. Neither: the
 * same bytes are sent once more where no node has them, and the answer is `not_yet`. Throws
 * RpcUnavailable.
 */
export async function lookAgain(o: LandedMint): Promise<LookResult> {
  if (o.mint.finalAt !== null) return { state: 'closed' };
  const seen = await lookOnce(o);
  if (seen.state !== 'not_yet') return seen;
  if (!(await isClosedOnRecord(o, 'no two nodes know it as final'))) return seen;
  const reopened = await reopenMint({ ...o, outcome: 'expired' });
  return { state: reopened === 'done' ? 'reopened' : reopened };
}

async function lookOnce(o: LandedMint): Promise<LookResult> {
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
  // One node may say for ever that it is confirmed, and stand still.
  return seen.state === 'landed' && seen.isFinal ? seen : judgeLanded(o);
}

async function close(o: LandedMint): Promise<LookResult> {
  if (!(await isKnownToTwo(o))) return { state: 'not_yet' };
  const minted = await readLeaf({ ...o, commitment: 'finalized' });
  if (!minted) return { state: 'not_yet' };
  const closed = await writeLeaf({ ...o, minted, stage: 'closed' });
  return { state: closed === 'done' ? 'closed' : closed };
}

/** Whether a second node knows it too, where there is one. */
async function isKnownToTwo({ rpc, attempt }: LandedMint): Promise<boolean> {
  if (!(rpc.nodes > 1)) return true;
  return (await signatureFinality({ rpc, signature: attempt.signature })) === 'finalized';
}

/** Whether any node still has the transaction, or none answers; as a success, where the others say that it failed. */
async function isServed(
  { rpc, attempt }: LandedMint,
  said: 'expired' | 'failed',
): Promise<boolean> {
  const asked = Array.from({ length: rpc.nodes }, async (_, node) => {
    try {
      return await rpc.onNode(node).getTransaction(attempt.signature, 'confirmed');
    } catch (error) {
      if (isNodeSilence(error)) return undefined;
      throw error;
    }
  });
  const answers = (await Promise.all(asked)).filter((raw) => raw !== undefined);
  if (answers.length === 0) return true;
  return answers.some(
    (raw) => raw !== null && (said === 'expired' || (raw.meta !== null && !raw.meta?.err)),
  );
}
