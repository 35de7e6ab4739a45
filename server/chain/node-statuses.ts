import { isNodeSilence, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureStatus } from '@quittance/verify/chain/rpc-schemas';
import type { Rpc } from './rpc';

/** Nodes that must each report the status of a transaction, if there are as many. */
export const AGREEING_NODES = 2;

/** How long we wait for a second node once one shows something. Nodes that keep up are a second or two apart. */
export const SECOND_NODE_MS = 4_000;

/** How many nodes must say the same before it counts, by the number of nodes. */
export function nodesNeeded(nodes: number): number {
  return Math.min(AGREEING_NODES, nodes);
}

/**
 * The statuses of some signatures on each node, in the order of the nodes and of the signatures.
 * Null for a node that gives no usable answer. Never throws for such a node.
 */
export function statusesByNode(
  rpc: Pick<Rpc, 'nodes' | 'onNode'>,
  signatures: readonly string[],
): Promise<((SignatureStatus | null)[] | null)[]> {
  return Promise.all(askEach(rpc, (node) => node.getSignatureStatuses(signatures)));
}

/** The newest confirmed slot of each node; null for one that gives no usable answer. Counted for no request. */
export function slotsByNode({
  nodes,
  unmetered: { onNode },
}: Pick<Rpc, 'nodes' | 'unmetered'>): Promise<(bigint | null)[]> {
  return Promise.all(askEach({ nodes, onNode }, (node) => node.getSlot('confirmed')));
}

/** Asks each node, in their order; null for one that gives no usable answer. */
export function askEach<T>(
  rpc: Pick<Rpc, 'nodes' | 'onNode'>,
  ask: (node: Rpc) => Promise<T>,
): Promise<T | null>[] {
  return Array.from({ length: rpc.nodes }, async (_, node) => {
    try {
      return await ask(rpc.onNode(node));
    } catch (error) {
      if (isNodeSilence(error)) return null;
      throw error;
    }
  });
}

/** Whether enough nodes answered for their agreement to count: two, or the only one. A dead third does not matter. */
export function areEnough(told: readonly unknown[], { nodes }: Pick<Rpc, 'nodes'>): boolean {
  return told.filter((node) => node !== null).length >= nodesNeeded(nodes);
}

/** Two nodes contradict each other, so that one of them is wrong and nothing may be concluded. */
export class NodesDiffer extends RpcUnavailable {}

/**
 * Asks several nodes and returns the content that two of them agree on. It returns as soon as no
 * other content can still get two votes, so a third node does not matter. `alike` is null if no
 * content has two nodes, or two contents have. `told` holds all answers by then, and
 * `isContradicted` is true if they have several contents. `contentOf` is null for an answer that
 * says nothing.
 */
export function twoAlike<T>(
  asked: readonly Promise<T>[],
  contentOf: (answer: T) => string | null,
): Promise<{ alike: T | null; told: T[]; isContradicted: boolean }> {
  const told: T[] = [];
  return new Promise((resolve, reject) => {
    const take = (answer: T): void => {
      told.push(answer);
      const groups = groupsOf(told, contentOf);
      const alike = agreedOf(groups, asked.length - told.length);
      if (alike !== null || told.length === asked.length)
        resolve({ alike, told, isContradicted: groups.length > 1 });
    };
    for (const one of asked) one.then(take, reject);
  });
}

/**
 * The content that two nodes agree on. Throws NodesDiffer if nodes contradict each other, and
 * RpcUnavailable if too few show it. `what` names it in the errors.
 */
export async function shownAlike<T>(
  rpc: Pick<Rpc, 'nodes' | 'onNode'>,
  o: {
    what: string;
    ask: (node: Rpc) => Promise<T | null>;
    contentOf: (answer: T) => string | null;
  },
): Promise<T> {
  const { alike, isContradicted } = await twoAlike(askEach(rpc, o.ask), (one) =>
    one === null ? null : o.contentOf(one),
  );
  if (alike !== null) return alike;
  if (isContradicted) throw new NodesDiffer(`Nodes show ${o.what} differently`);
  throw new RpcUnavailable(`No two nodes show ${o.what}`);
}

type Group<T> = { answer: T; nodes: number };

/** Each content and the number of nodes that gave it, most first. */
function groupsOf<T>(
  told: readonly T[],
  contentOf: (answer: T) => string | null,
): readonly Group<T>[] {
  const groups = new Map<string, Group<T>>();
  for (const answer of told) {
    const content = contentOf(answer);
    if (content === null) continue;
    groups.set(content, { answer, nodes: (groups.get(content)?.nodes ?? 0) + 1 });
  }
  return [...groups.values()].sort((a, b) => b.nodes - a.nodes);
}

/** The content that two nodes gave, once the silent ones cannot bring another content to two. */
function agreedOf<T>([most, other]: readonly Group<T>[], unheard: number): T | null {
  if (!most || most.nodes < AGREEING_NODES) return null;
  return (other?.nodes ?? 0) + unheard < AGREEING_NODES ? most.answer : null;
}

/** Whether a status says that the transaction is final and has no error. */
export function isFinalLanding(status: SignatureStatus | null | undefined): boolean {
  return status?.err === null && status.confirmationStatus === 'finalized';
}

/**
 * Whether a final landing can be relied on. A node must report it as final. A second node, if there
 * is one, must know it in the same block, at least as confirmed.
 */
export function isWitnessed(
  statuses: readonly (SignatureStatus | null)[],
  { nodes }: Pick<Rpc, 'nodes'>,
): boolean {
  const knows = (status: SignatureStatus | null, slot: bigint) =>
    status?.err === null && status.slot === slot && status.confirmationStatus !== 'processed';
  return statuses.some(
    (final) =>
      final !== null &&
      isFinalLanding(final) &&
      statuses.filter((one) => knows(one, final.slot)).length >= nodesNeeded(nodes),
  );
}

export type SignatureFinality =
  | 'finalized'
  | 'confirmed'
  | 'processed'
  | 'absent'
  | 'failed'
  /** Only one node reports it as final, so nothing may rely on it or on its absence. */
  | 'unwitnessed'
  /** A node says that it finally failed, and not enough others do: nothing may be concluded. */
  | 'contested';

/**
 * The progress of a transaction. `finalized`: final on one node, and a second node, if there is
 * one, knows it in the same block. `failed`: the failure is final and a second node reports it too.
 * Earlier, the block may be dropped and the same bytes land in another. `absent`: two nodes answer,
 * or the only one, and none that answers knows it. Otherwise throws RpcUnavailable or RpcRefused.
 * Absent does not mean gone: see lookForDropped.
 */
export async function signatureFinality(o: {
  rpc: Rpc;
  signature: string;
}): Promise<SignatureFinality> {
  const { rpc } = o;
  const { known, isWhole } = await statusesOf(o);
  const [first] = known;
  if (!first && isWhole) return 'absent';
  if (!first) throw new RpcUnavailable(`a node did not return the status of ${o.signature}`);
  if (isWitnessed(known, rpc)) return 'finalized';
  if (known.some(isFinalLanding)) return 'unwitnessed';
  const failures = known.filter(isFinalFailure).length;
  if (failures >= nodesNeeded(rpc.nodes)) return 'failed';
  return failures > 0 ? 'contested' : first.confirmationStatus;
}

/**
 * The statuses of the nodes that know it. A single node is asked together with the other questions
 * of the moment.
 */
async function statusesOf({ rpc, signature }: Parameters<typeof signatureFinality>[0]): Promise<{
  known: SignatureStatus[];
  isWhole: boolean;
}> {
  const told =
    rpc.nodes > 1
      ? await statusesByNode(rpc, [signature])
      : [await rpc.getSignatureStatuses([signature])];
  const known = told.flatMap((node) => node?.[0] ?? []);
  return { known, isWhole: areEnough(told, rpc) };
}

function isFinalFailure({ err, confirmationStatus }: SignatureStatus): boolean {
  return err !== null && confirmationStatus === 'finalized';
}
