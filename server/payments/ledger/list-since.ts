import type { Rpc } from '@/server/chain/rpc';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import { isNodeSilence, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { olderLine } from '../older-line';

/** A transaction that a wallet's history names, with the number of nodes that list it as final. */
export type Seen = {
  signature: string;
  failed: boolean;
  blockTime: Date | null;
  /** The highest that a node tells. */
  slot: bigint;
  listedOn: number;
  finalOn: number;
};

/**
 * What any node lists in the history of a wallet from a slot on, newest first, and the nodes that answered. Throws
 * RpcUnavailable when none does, or when a history is not read by `end`, in milliseconds of `performance.now()`.
 */
export async function listSince(
  rpc: Rpc,
  o: { wallet: string; slot: bigint; end: number },
): Promise<{ nodes: Rpc[]; seen: Seen[] }> {
  const all = Array.from({ length: rpc.nodes }, (_, node) => rpc.onNode(node));
  const listed = await ofAnswering(all, async (node) => ({
    node,
    lines: await newerThan(node, o),
  }));
  const seen = new Map<string, Seen>();
  for (const { signature, failed, blockTime, final, slot } of listed.flatMap(
    ({ lines }) => lines,
  )) {
    const fresh = { signature, failed: true, blockTime, slot, listedOn: 0, finalOn: 0 };
    const known = seen.get(signature) ?? fresh;
    known.listedOn += 1;
    if (slot > known.slot) known.slot = slot;
    // One node that says it succeeded is enough to look at it.
    known.failed &&= failed;
    known.blockTime ??= blockTime;
    known.finalOn += final ? 1 : 0;
    seen.set(signature, known);
  }
  // One that was silent would be waited for again.
  return { nodes: listed.map(({ node }) => node), seen: [...seen.values()] };
}

/** What the nodes that answer say, each for itself. Throws RpcUnavailable when none does. */
export async function ofAnswering<T>(
  nodes: readonly Rpc[],
  ask: (node: Rpc) => Promise<T>,
): Promise<T[]> {
  const answers = await Promise.allSettled(nodes.map(ask));
  const failures = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const unexpected = failures.find((reason) => !isNodeSilence(reason));
  if (unexpected !== undefined) throw unexpected;
  if (failures.length === answers.length)
    throw new RpcUnavailable('No node answers about the paid wallet', { cause: failures[0] });
  return answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

async function newerThan(
  node: Rpc,
  { wallet, slot, end }: { wallet: string; slot: bigint; end: number },
): Promise<SignatureLine[]> {
  const newer: SignatureLine[] = [];
  let last: SignatureLine | undefined;
  for (;;) {
    const lines = await node.getSignaturesForAddress(
      wallet,
      last ? { before: last.signature } : {},
    );
    newer.push(...lines.filter((line) => line.slot >= slot));
    const oldest = lines.at(-1);
    if (!oldest || oldest.slot < slot) return newer;
    if (performance.now() > end)
      throw new RpcUnavailable('The history of the paid wallet is too long to be read in time');
    last = olderLine(oldest, last);
  }
}
