import { agreeOnAbsence, type Agreement } from './agree-on-absence';
import { lastBlock, type BlockReader } from './block-reader';
import { BLOCKHASH_LIFE_BLOCKS } from './landing-margin';
import { proveAbsence, type NodeProof } from './prove-absence';
import { provenTop } from './proven-top';
import type { Rpc } from './rpc';
import { isNodeSilence, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { staleReason } from './stale-nodes';
import type { Window } from './walk-window';

/** How far two forks may differ in height at one slot; the cluster votes none that differs more. */
const FORK_BLOCKS = 64n;
/** How long one look reads blocks; what it has read is kept for the next. */
const READ_MS = 4_000;
/** Slots after which no node that keeps up may still be about to call it failed as another does. */
const OVER_SLOTS = 300n;
const FAILED_HERE = 'it says that it failed';

type Asked = { rpc: Rpc; signature: string; seenSlot: bigint };
type Tip = { slot: bigint; height: bigint };
/** `seen`: it has a status that is not final. */
type Said = NodeProof | { state: 'seen' };
/** What one node says, with its last final block; `tip` is null for a node that does not answer. */
type View = { tip: Tip | null; said: Said };

/**
 * Whether a transaction that was seen in `seenSlot` is gone for good. Its blockhash was valid there, so every
 * block from one blockhash life before to one after, and a fork's length more, is read: two nodes must prove
 * that none holds it, or the one there is. A node that is silent, refuses or stands still proves nothing and
 * keeps nothing open. Throws RpcUnavailable when no node answers.
 */
export async function lookForDropped(o: Asked): Promise<Agreement> {
  const told = await Promise.all(Array.from({ length: o.rpc.nodes }, (_, node) => viewOf(o, node)));
  if (told.every(({ tip }) => tip === null))
    throw new RpcUnavailable(`no node could tell what became of ${o.signature}`);
  const views = passOverStale(told);
  // A node that has it, in whatever state, is asked for that by signatureFinality.
  const unseen = views.flatMap(({ said }) =>
    said.state === 'held' || said.state === 'seen' ? [] : [said],
  );
  if (unseen.length < views.length) return { state: 'open' };
  const isContested = unseen.some((one) => one.state === 'unproven' && one.reason === FAILED_HERE);
  // Where one node calls it failed, the others get their time to say so too.
  if (isContested && unseen.some(({ state }) => state === 'early')) return { state: 'open' };
  const agreed = agreeOnAbsence(unseen);
  // While every node that answers is before the window's end, silent ones leave nothing open but the time.
  // A height that no other node comes near is no end of it.
  const top = provenTop(heightsOf(views));
  const isOver = views.some(
    ({ tip, said }) => tip !== null && top !== null && tip.height <= top && said.state !== 'early',
  );
  return agreed.state === 'undecided' && !isOver ? { state: 'open' } : agreed;
}

async function viewOf(o: Asked, node: number): Promise<View> {
  try {
    const tip = await o.rpc.onNode(node).getFinalizedTip();
    return { tip, said: await askNode(o, node, tip) };
  } catch (error) {
    if (!isNodeSilence(error)) throw error;
    return { tip: null, said: { state: 'unproven', reason: error.message } };
  }
}

async function askNode({ rpc, signature, seenSlot }: Asked, node: number, tip: Tip): Promise<Said> {
  const { status, slot } = await rpc.onNode(node).seeSignature(signature);
  if (status !== null && status.err !== null && status.confirmationStatus === 'finalized')
    return tip.slot > seenSlot + OVER_SLOTS
      ? { state: 'unproven', reason: FAILED_HERE }
      : { state: 'early' };
  if (status?.confirmationStatus === 'finalized')
    return { state: 'held', slot: status.slot, err: status.err };
  if (status !== null) return { state: 'seen' };
  // One address may hide several machines: the one that knows nothing must have seen that block.
  if (slot < tip.slot || tip.slot <= seenSlot) return { state: 'early' };
  return proveAbsence({
    ...{ rpc, node, signature, tip },
    until: performance.now() + READ_MS,
    windowOf: (reader) => windowAround(reader, seenSlot),
  });
}

/** What a node that stands still holds open counts as unproven. */
function passOverStale(views: readonly View[]): View[] {
  const heights = heightsOf(views);
  return views.map((view) => {
    const { tip, said } = view;
    const reason = tip === null ? null : staleReason({ height: tip.height, heights });
    const isOpen = said.state === 'early' || said.state === 'seen';
    return reason !== null && isOpen ? { tip, said: { state: 'unproven', reason } } : view;
  });
}

function heightsOf(views: readonly View[]): bigint[] {
  return views.flatMap(({ tip }) => (tip === null ? [] : [tip.height]));
}

async function windowAround(reader: BlockReader, seenSlot: bigint): Promise<Window | null> {
  const block = await lastBlock(reader, seenSlot);
  if (block === null) return null;
  const from = block.height - BLOCKHASH_LIFE_BLOCKS;
  const to = block.height + BLOCKHASH_LIFE_BLOCKS + FORK_BLOCKS;
  return { from: from > 0n ? from : 0n, to };
}
