import { setTimeout as sleep } from 'node:timers/promises';
import { BLOCKHASH_LIFE_BLOCKS, MARGIN_BLOCKS } from './landing-margin';
import { MOST_APART } from './proven-top';
import { isNodeSilence, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';

type Blockhash = { blockhash: string; lastValidBlockHeight: bigint };

/** What one node can be asked about blockhashes. */
export type BlockhashNode = {
  latest(): Promise<Blockhash>;
  /** Its own height, the newest it knows. */
  height(): Promise<bigint>;
  /** Whether a transaction with this blockhash can still land, as it sees it. */
  knows(blockhash: string): Promise<boolean>;
};

type Told = Blockhash & { node: BlockhashNode };

/** Nodes answer within some tens of milliseconds. One that is silent for longer is not waited for. */
const PATIENCE_MS = 1_000;
/** A node that keeps up has several new blocks in this time. */
const MOVES_WITHIN_MS = 1_500;

/**
 * The blockhash with the highest last valid height of those that the nodes tell. One that lags or stands still
 * tells a lower height, by which a transaction would count as expired while it can still land. A height far above
 * those of the other nodes must be possible, since nothing would ever reach an invented one. Throws RpcUnavailable
 * when no node answers and when two nodes that both move contradict each other, and RpcRefused.
 */
export async function newestBlockhash(nodes: readonly BlockhashNode[]): Promise<Blockhash> {
  const told = await askAll(nodes);
  const [first, second, ...others] = told.sort((a, b) => compare(b, a));
  if (!first) throw new RpcUnavailable('There is no node to ask for a blockhash');
  if (nodes.length === 1) return plain(first);
  if (second && isNear(first, second)) return plain(first);
  // Of three or more, one that is far above all others tells no height that anything could ever reach.
  if (second && others.length > 0) return plain(second);
  return second ? chooseOfTwo(first, second) : plain(await possible(first));
}

async function askAll(nodes: readonly BlockhashNode[]): Promise<Told[]> {
  const told: Told[] = [];
  const troubles: Error[] = [];
  const all = Promise.all(
    nodes.map(async (node) => {
      try {
        told.push({ ...(await node.latest()), node });
      } catch (error) {
        if (!isNodeSilence(error)) throw error;
        troubles.push(error);
      }
    }),
  );
  await Promise.race([all, sleep(PATIENCE_MS, undefined, { ref: false })]);
  if (told.length === 0) await all;
  if (told.length === 0 && troubles[0]) throw troubles[0];
  return [...told];
}

/** Which of two far apart to believe: the lower node may stand still, or the higher one invent. */
async function chooseOfTwo(high: Told, low: Told): Promise<Blockhash> {
  if (!(await isPossible(high))) return plain(low);
  const latest = await latestKnownTo(low.node, high);
  if (latest !== null) return latest;
  // The lower node does not know the hash. One that keeps up would.
  await sleep(MOVES_WITHIN_MS, undefined, { ref: false });
  if ((await low.node.height()) + BLOCKHASH_LIFE_BLOCKS > low.lastValidBlockHeight)
    throw new RpcUnavailable(
      `two nodes contradict each other: one says that its blockhash ends at height ${high.lastValidBlockHeight}, the other that its ends at ${low.lastValidBlockHeight}`,
    );
  return plain(high);
}

/**
 * A blockhash with the height that a second node gives it, or null when that node does not know it: whoever knows it
 * now saw its block, so it ends at most one life later.
 */
async function latestKnownTo(witness: BlockhashNode, one: Told): Promise<Blockhash | null> {
  if (!(await witness.knows(one.blockhash))) return null;
  const atMost = (await witness.height()) + BLOCKHASH_LIFE_BLOCKS;
  const { blockhash, lastValidBlockHeight: said } = one;
  return { blockhash, lastValidBlockHeight: said < atMost ? said : atMost };
}

/** A blockhash that no other node can confirm, if its own node's height allows it. Throws RpcUnavailable else. */
async function possible(one: Told): Promise<Told> {
  if (await isPossible(one)) return one;
  throw new RpcUnavailable(
    `the only node that answers tells a last valid height of ${one.lastValidBlockHeight}, which its own height rules out`,
  );
}

/** Several machines may stand behind one URL, and the one that tells the height may be some blocks behind. */
async function isPossible({ node, lastValidBlockHeight }: Told): Promise<boolean> {
  return lastValidBlockHeight <= (await node.height()) + BLOCKHASH_LIFE_BLOCKS + MARGIN_BLOCKS;
}

function isNear(high: Told, low: Told): boolean {
  return high.lastValidBlockHeight - low.lastValidBlockHeight <= MOST_APART;
}

function plain({ blockhash, lastValidBlockHeight }: Told): Blockhash {
  return { blockhash, lastValidBlockHeight };
}

function compare(a: Blockhash, b: Blockhash): number {
  return Number(a.lastValidBlockHeight - b.lastValidBlockHeight);
}
