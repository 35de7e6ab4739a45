import {
  agreeOnAbsence,
  type NodeProof,
  proveAbsence,
  staleReason,
  windowUpTo,
} from '@/server/chain/absence';
import { BLOCKHASH_LIFE_BLOCKS, provenTop } from '@/server/chain/landing-margin';
import { nodesNeeded } from '@/server/chain/node-statuses';
import type { Rpc } from '@/server/chain/rpc';
import { isNodeSilence, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureStatus } from '@quittance/verify/chain/rpc-schemas';
import { metrics } from '@/server/metrics';

/** The joint knowledge of the nodes about a signed transaction. */
export type Verdict =
  | { state: 'landed'; slot: bigint; isFinal: boolean }
  /** It failed on chain, finally, and a second node (if there is one) says so: it can no longer land. */
  | { state: 'failed'; err: unknown }
  /** Proven: every block in which it could land was read, and none holds it. */
  | { state: 'expired' }
  | { state: 'in_flight' }
  /** Its blockhash has ended, and the nodes cannot prove whether it landed. Nothing may be signed or freed. */
  | { state: 'undecided'; reason: string };

type Sent = { signature: string; lastValidBlockHeight: bigint };

/** How long one poll reads blocks. Blocks that were read are kept for the next. */
const READ_MS = 4_000;

/**
 * Finds out whether a transaction landed, failed or can no longer land. Each node is asked for its
 * final block first and for the status second.
 *
 * A final landing on any node outweighs all else. A failure counts when two nodes (or the only one)
 * report it as final. A missing status does not count as absence. Past the last valid height, each
 * node's blocks of the whole window are read, and two nodes must prove the absence if there are
 * several. A node that stands still proves nothing and keeps nothing open.
 *
 * `windowBlocks` is how long before the last valid height the transaction could land at the
 * earliest. Throws RpcUnavailable when no node answers.
 */
export async function judgeAttempt(o: Asked): Promise<Verdict> {
  return judgeViews(o, await viewsOf(o));
}

/**
 * The same for money that comes in: a landing counts only where a second node, if there is one, shows it in the
 * same block. A single node may have swallowed the transaction and call it landed.
 */
export async function judgeSettlement(o: Asked): Promise<Verdict | { state: 'unwitnessed' }> {
  const views = await viewsOf(o);
  const verdict = judgeViews(o, views);
  if (verdict.state !== 'landed') return verdict;
  const landings = views.flatMap((view) =>
    'verdict' in view && view.verdict.state === 'landed' ? [view.verdict] : [],
  );
  const knownIn = (slot: bigint) => landings.filter((one) => one.slot === slot).length;
  const found = landings.find(({ slot }) => knownIn(slot) >= nodesNeeded(o.rpc.nodes));
  return found ?? { state: 'unwitnessed' };
}

type Asked = { rpc: Rpc; attempt: Sent; windowBlocks?: bigint };

async function viewsOf(o: Asked): Promise<View[]> {
  const told = await Promise.all(Array.from({ length: o.rpc.nodes }, (_, node) => viewOf(o, node)));
  return passOverStale(told, o.attempt);
}

function judgeViews({ rpc, attempt }: Asked, views: readonly View[]): Verdict {
  const seen = views.flatMap((view) => ('verdict' in view ? [view.verdict] : []));
  const proofs = views.flatMap((view) => ('proof' in view ? [view.proof] : []));
  const [first] = seen.sort((a, b) => weight(a) - weight(b));
  if (first?.state === 'landed' && first.isFinal) return first;
  const failures = seen.filter(({ state }) => state === 'failed');
  if (failures.length > 0 && seen.some(({ state }) => state === 'landed'))
    metrics().nodeDisagreements.inc({ method: 'getSignatureStatuses' });
  const [failure] = failures;
  if (failure && failures.length >= nodesNeeded(rpc.nodes)) return failure;
  const top = provenTop(heightsOf(views));
  const isOver = top !== null && top > attempt.lastValidBlockHeight;
  if (failure) return judgeContested({ seen, proofs, isOver });
  if (first) return first;
  if (views.every(({ tip }) => tip === null))
    throw new RpcUnavailable(`no node returned the status of ${attempt.signature}`);
  const agreed = agreeOnAbsence(proofs);
  if (agreed.state === 'gone') return { state: 'expired' };
  // While no node has the last valid height final, the window is open, and silent nodes do not matter.
  return agreed.state === 'undecided' && isOver ? agreed : { state: 'in_flight' };
}

/** The verdict while one node says that it finally failed, and no other does. */
function judgeContested(o: {
  seen: readonly Verdict[];
  proofs: readonly Unseen[];
  isOver: boolean;
}): Verdict {
  const count = (state: Unseen['state']) =>
    o.proofs.filter((proof) => proof.state === state).length;
  if (count('absent') > 1) return { state: 'expired' };
  const isOpen = count('early') > 0 || o.seen.some(({ state }) => state !== 'failed');
  if (isOpen || !o.isOver) return { state: 'in_flight' };
  return { state: 'undecided', reason: 'only one node says that it failed' };
}

/**
 * One cheap question between two thorough ones: enough to see that it landed. If a single node calls it failed, it is
 * checked thoroughly.
 */
export async function glanceAt(o: Asked): Promise<Verdict> {
  try {
    const [status] = await o.rpc.getSignatureStatuses([o.attempt.signature]);
    const verdict: Verdict = status ? readStatus(status) : { state: 'in_flight' };
    return verdict.state === 'failed' && o.rpc.nodes > 1 ? await judgeAttempt(o) : verdict;
  } catch (error) {
    // The thorough check asks each node separately, and works with fewer of them.
    if (isNodeSilence(error)) return { state: 'in_flight' };
    throw error;
  }
}

/** The most certain first. */
function weight(verdict: Verdict): number {
  if (verdict.state === 'landed') return verdict.isFinal ? 0 : 1;
  return 2;
}

type Unseen = Exclude<NodeProof, { state: 'held' }>;
type Tip = { slot: bigint; height: bigint };
/**
 * The answer of one node, with its last final block; `tip` is null for a node that does not answer.
 */
type View = { tip: Tip; verdict: Verdict } | { tip: Tip | null; proof: Unseen };

async function viewOf(o: Asked, node: number): Promise<View> {
  const { signature, lastValidBlockHeight } = o.attempt;
  try {
    const one = o.rpc.onNode(node);
    const tip = await one.getFinalizedTip();
    const seen = await one.seeSignature(signature);
    if (seen.status) return { tip, verdict: readStatus(seen.status) };
    // One URL may hide several machines: the one that knows no status must have seen that block.
    if (tip.height <= lastValidBlockHeight || seen.slot < tip.slot)
      return { tip, proof: { state: 'early' } };
    const window = windowUpTo(lastValidBlockHeight, o.windowBlocks ?? BLOCKHASH_LIFE_BLOCKS);
    const proof = await proveAbsence({
      rpc: o.rpc,
      node,
      signature,
      tip,
      until: performance.now() + READ_MS,
      windowOf: async () => window,
    });
    return proof.state === 'held' ? { tip, verdict: readHeld(proof) } : { tip, proof };
  } catch (error) {
    if (!isNodeSilence(error)) throw error;
    return { tip: null, proof: { state: 'unproven', reason: error.message } };
  }
}

/** A confirmed or missing status that only a node that stands still reports counts as unproven. */
function passOverStale(views: readonly View[], { lastValidBlockHeight: due }: Sent): View[] {
  const heights = heightsOf(views);
  return views.map((view) => {
    const { tip } = view;
    const reason = tip === null ? null : staleReason({ height: tip.height, heights, due });
    return reason !== null && isOpen(view) ? { tip, proof: { state: 'unproven', reason } } : view;
  });
}

function heightsOf(views: readonly View[]): bigint[] {
  return views.flatMap(({ tip }) => (tip === null ? [] : [tip.height]));
}

function isOpen(view: View): boolean {
  if ('proof' in view) return view.proof.state === 'early';
  const { verdict } = view;
  return verdict.state === 'in_flight' || (verdict.state === 'landed' && !verdict.isFinal);
}

function readHeld(held: Extract<NodeProof, { state: 'held' }>): Verdict {
  if (held.err !== null) return { state: 'failed', err: held.err };
  return { state: 'landed', slot: held.slot, isFinal: true };
}

/**
 * A failure counts once it is final: on another fork the same bytes might still land. A landing counts
 * from `confirmed` on; the mint is checked again when it is final.
 */
function readStatus(status: SignatureStatus): Verdict {
  const isFinal = status.confirmationStatus === 'finalized';
  if (status.err !== null)
    return isFinal ? { state: 'failed', err: status.err } : { state: 'in_flight' };
  if (isFinal || status.confirmationStatus === 'confirmed')
    return { state: 'landed', slot: status.slot, isFinal };
  return { state: 'in_flight' };
}
