import { isNodeSilence, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import {
  blockReader,
  type BlockReader,
  lastBlock,
  mayHold,
  walkWindow,
  type Window,
} from './block-reader';
import { BLOCKHASH_LIFE_BLOCKS, MOST_APART, provenTop } from './landing-margin';
import { nodesNeeded } from './node-statuses';
import type { Rpc } from './rpc';

/** The proof that the blocks of one node give about a transaction without a status. */
export type NodeProof =
  /** The window is final, every block in it was read, and none holds the transaction. */
  | { state: 'absent' }
  /** A finalized block holds it, whatever the node's index of transactions says. */
  | { state: 'held'; slot: bigint; err: unknown }
  /** The window is not final yet, or was not read to its end: ask again. */
  | { state: 'early' }
  /** The node lacks a block or does not answer. */
  | { state: 'unproven'; reason: string };

type Tip = { slot: bigint; height: bigint };
type Asked = {
  rpc: Pick<Rpc, 'calls' | 'onNode' | 'unmetered'>;
  node: number;
  signature: string;
  /** The node's last finalized block, read before the status that was missing. */
  tip: Tip;
  /** Until when to read, on the clock of `performance.now()`. */
  until: number;
};

/** The window of a transaction whose blockhash is at most as old as its last valid block height says. */
export function windowUpTo(lastValidBlockHeight: bigint, blocks = BLOCKHASH_LIFE_BLOCKS): Window {
  const from = lastValidBlockHeight - blocks;
  return { from: from > 0n ? from : 0n, to: lastValidBlockHeight };
}

/**
 * Reads every block in which a transaction could land. A missing status, `getBlocks` and `minimumLedgerSlot`
 * prove nothing: a node may have lost a part of its history and not know it. Never throws for a node that
 * does not answer.
 */
export async function proveAbsence(
  o: Asked & { windowOf: (reader: BlockReader, tip: Tip) => Promise<Window | null> },
): Promise<NodeProof> {
  const { signature, tip, until } = o;
  const reader = blockReader(o.rpc, o.node);
  try {
    const window = await o.windowOf(reader, tip);
    if (window === null)
      return { state: 'unproven', reason: 'it lacks the block to count the window from' };
    if (tip.height <= window.to) return { state: 'early' };
    const isWanted = (note: Parameters<typeof mayHold>[0]) => mayHold(note, signature);
    const walk = await walkWindow(reader, { window, tip, until, isWanted });
    if (walk.state === 'whole') return { state: 'absent' };
    if (walk.state === 'unfinished') return { state: 'early' };
    if (walk.state === 'gap') return { state: 'unproven', reason: walk.reason };
    return await readHeld(o, walk.slot);
  } catch (error) {
    if (isNodeSilence(error)) return { state: 'unproven', reason: error.message };
    throw error;
  }
}

/** How a transaction in a block ended. */
async function readHeld({ rpc, node, signature }: Asked, slot: bigint): Promise<NodeProof> {
  const transactions = await rpc.onNode(node).getBlockTransactions(slot);
  const found = transactions?.find((one) => one.signature === signature);
  if (found) return { state: 'held', slot, err: found.err };
  return { state: 'unproven', reason: `its block ${slot} seems to hold it and does not show it` };
}

/** If another node is this many blocks past a height, a node that is not there yet stands still. */
const WELL_PAST_BLOCKS = 150n;

/**
 * Why a node's word that a window is not over does not count, or null while the node keeps up. `height` is
 * its last final block, `heights` those of every node that answers, `due` the height that the question is about.
 * Otherwise a node that stands still would keep a transaction open for ever. One that returns a height far above all others
 * makes no other one stale: see provenTop.
 */
export function staleReason(o: {
  height: bigint;
  heights: readonly bigint[];
  due?: bigint;
}): string | null {
  const highest = provenTop(o.heights) ?? o.height;
  const isBehind = highest - o.height > MOST_APART;
  const isShort = o.due !== undefined && o.height <= o.due && highest - o.due > WELL_PAST_BLOCKS;
  if (!isBehind && !isShort) return null;
  return `its last final block ${o.height} is ${highest - o.height} behind another node's`;
}

export type Agreement =
  /** Enough nodes have read the whole window: it can never land. */
  | { state: 'gone' }
  /** It may land or have landed: check again. */
  | { state: 'open' }
  /** Its last valid height is final, and the nodes cannot prove whether it landed. */
  | { state: 'undecided'; reason: string };

/** The joint proof of the nodes, when none of them knows the transaction. */
export function agreeOnAbsence(
  proofs: readonly Exclude<NodeProof, { state: 'held' }>[],
): Agreement {
  const needed = nodesNeeded(proofs.length);
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

/** How far two forks may differ in height at one slot. The cluster confirms none that differs more. */
const FORK_BLOCKS = 64n;
/** How long one poll reads blocks. Blocks that were read are kept for the next. */
const READ_MS = 4_000;
/** Slots after which no node that keeps up can still come to report the failure that another reports. */
const OVER_SLOTS = 300n;
const FAILED_HERE = 'it says that it failed';

type AskedBlocks = { rpc: Rpc; signature: string; seenSlot: bigint };
/** `seen`: it has a status that is not final. */
type Said = NodeProof | { state: 'seen' };
/**
 * The answer of one node, with its last final block; `tip` is null for a node that does not answer.
 */
type View = { tip: Tip | null; said: Said };

/**
 * Whether a transaction that was seen in `seenSlot` is gone. Its blockhash was valid in that slot.
 * So the window is one blockhash life before it to one after, plus the length of a fork. Every
 * block of it is read: two nodes, or the only one, must prove that none holds it. A node that is
 * silent, refuses or stands still proves nothing and keeps nothing open. Throws RpcUnavailable when
 * no node answers.
 */
export async function lookForDropped(o: AskedBlocks): Promise<Agreement> {
  const told = await Promise.all(Array.from({ length: o.rpc.nodes }, (_, node) => viewOf(o, node)));
  if (told.every(({ tip }) => tip === null))
    throw new RpcUnavailable(`no node returned the status of ${o.signature}`);
  const views = passOverStale(told);
  // signatureFinality asks a node that has it for its state.
  const unseen = views.flatMap(({ said }) =>
    said.state === 'held' || said.state === 'seen' ? [] : [said],
  );
  if (unseen.length < views.length) return { state: 'open' };
  const isContested = unseen.some((one) => one.state === 'unproven' && one.reason === FAILED_HERE);
  // If one node calls it failed, the others get time to say so too.
  if (isContested && unseen.some(({ state }) => state === 'early')) return { state: 'open' };
  const agreed = agreeOnAbsence(unseen);
  // While every node that answers is before the end of the window, the window is open, and silent nodes do not matter.
  // A height that no other node is near does not end it.
  const top = provenTop(heightsOf(views));
  const isOver = views.some(
    ({ tip, said }) => tip !== null && top !== null && tip.height <= top && said.state !== 'early',
  );
  return agreed.state === 'undecided' && !isOver ? { state: 'open' } : agreed;
}

async function viewOf(o: AskedBlocks, node: number): Promise<View> {
  try {
    const tip = await o.rpc.onNode(node).getFinalizedTip();
    return { tip, said: await askNode(o, node, tip) };
  } catch (error) {
    if (!isNodeSilence(error)) throw error;
    return { tip: null, said: { state: 'unproven', reason: error.message } };
  }
}

async function askNode(
  { rpc, signature, seenSlot }: AskedBlocks,
  node: number,
  tip: Tip,
): Promise<Said> {
  const { status, slot } = await rpc.onNode(node).seeSignature(signature);
  if (status !== null && status.err !== null && status.confirmationStatus === 'finalized')
    return tip.slot > seenSlot + OVER_SLOTS
      ? { state: 'unproven', reason: FAILED_HERE }
      : { state: 'early' };
  if (status?.confirmationStatus === 'finalized')
    return { state: 'held', slot: status.slot, err: status.err };
  if (status !== null) return { state: 'seen' };
  // One URL may hide several machines: the one that knows nothing must have seen that block.
  if (slot < tip.slot || tip.slot <= seenSlot) return { state: 'early' };
  return proveAbsence({
    rpc,
    node,
    signature,
    tip,
    until: performance.now() + READ_MS,
    windowOf: (reader) => windowAround(reader, seenSlot),
  });
}

/** A window that only a node that stands still holds open counts as unproven. */
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
