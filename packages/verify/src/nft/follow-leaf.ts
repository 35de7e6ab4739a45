import type { HistoryReader } from '../chain/chain-reader';
import { fetchTransaction } from '../chain/fetch-transaction';
import { isNodeSilence } from '../chain/rpc-errors';
import { attempt } from '../receipts/check-line';
import { readTreeRoots, type LeafEvent } from './leaf';
import { EMPTY_LEAF, readLoggedLeaves, readTreeChanges, type TreeChange } from './tree-changes';

/** The position of a leaf after its mint, or why its tree's history does not show it. */
export type LeafHistory =
  | { state: 'stands' | 'moved'; owner: string; changes: number }
  | { state: 'burnt'; changes: number }
  | { state: 'untold'; why: string };

/** Changes that are read at most: an older leaf of a busy tree needs a node with an index of assets. */
const MOST_CHANGES = 20_000;
/** Transactions asked for at once; public nodes refuse more. */
const WIDTH = 4;

/**
 * Follows a leaf through all changes of its tree since its mint. Their numbers must run without a
 * gap up to the change whose root the tree account has now. So nothing is concluded from an
 * incomplete history. Never throws for a fault of a node.
 */
export async function followLeaf(o: {
  rpc: HistoryReader;
  leaf: LeafEvent;
  mintSignature: string;
  most?: number | undefined;
}): Promise<LeafHistory> {
  try {
    return await follow(o);
  } catch (error) {
    if (isNodeSilence(error)) return untold(error.message);
    throw error;
  }
}

async function follow(o: Parameters<typeof followLeaf>[0]): Promise<LeafHistory> {
  const { rpc, leaf } = o;
  const read = await readHistory(rpc, {
    tree: leaf.tree,
    until: o.mintSignature,
    most: o.most ?? MOST_CHANGES,
  });
  if ('why' in read) return untold(read.why);
  const { changes } = read;
  const start = changes.findIndex(
    (one) => one.leafIndex === leaf.leafIndex && one.leaf === leaf.hash,
  );
  const since = start < 0 ? [] : changes.slice(start);
  if (!isWithoutGap(since)) return untold(NOT_WHOLE);
  return endOf(leaf, since);
}

const NOT_WHOLE = 'the changes that the node shows do not lead to the tree as it is';

/**
 * The history of a tree on a node: transactions, and their changes in order up to the current root
 * of the account.
 */
type TreeHistory = { transactions: unknown[]; changes: ChangeIn[] };
/** A change, and the transaction that made it. */
type ChangeIn = TreeChange & { raw: unknown };

/**
 * All transactions of a tree from its first change on. Refused, with the reason, where the node does not show every
 * change up to the root that the tree account has now. Throws what the node throws.
 */
export async function readWholeTree(o: {
  rpc: HistoryReader;
  tree: string;
}): Promise<TreeHistory | { why: string }> {
  const read = await readHistory(o.rpc, { tree: o.tree, until: null, most: Infinity });
  if ('why' in read) return read;
  const [first] = read.changes;
  const isWhole = read.sequence === 0n || (first !== undefined && first.sequence <= 1n);
  return isWhole && isWithoutGap(read.changes) ? read : { why: NOT_WHOLE };
}

async function readHistory(
  rpc: HistoryReader,
  o: { tree: string; until: string | null; most: number },
): Promise<(TreeHistory & { sequence: bigint }) | { why: string }> {
  const signatures = await signaturesSince(rpc, { account: o.tree, until: o.until, most: o.most });
  if (typeof signatures === 'string') return { why: signatures };
  const transactions = await fetchAll(rpc, signatures);
  if (!transactions) return { why: 'the node lacks a transaction of the tree' };
  const account = await rpc.getAccountInfo(o.tree);
  const tree = account && readTreeRoots(account.data);
  if (!tree) return { why: 'the node has no such tree' };
  const changes = transactions
    .flatMap((raw) => changesIn(raw, o.tree))
    .filter(({ sequence }) => sequence <= tree.sequence)
    .sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
  const last = changes.at(-1);
  const isWhole =
    tree.sequence === 0n || (last?.sequence === tree.sequence && last.root === tree.roots[0]);
  return isWhole ? { transactions, changes, sequence: tree.sequence } : { why: NOT_WHOLE };
}

/** None where the transaction is of another form. */
function changesIn(raw: unknown, tree: string): ChangeIn[] {
  const changes = attempt(() => readTreeChanges(raw, tree)) ?? [];
  return changes.map((change) => ({ ...change, raw }));
}

/** Whether the numbers of changes run on, one by one. No change at all proves nothing. */
function isWithoutGap(changes: readonly TreeChange[]): boolean {
  const first = changes[0]?.sequence ?? 0n;
  return changes.length > 0 && changes.every(({ sequence }, at) => sequence === first + BigInt(at));
}

/**
 * The last change of the leaf shows its position. The leaf with that hash, logged with the change,
 * shows its holder.
 */
function endOf(leaf: LeafEvent, since: readonly ChangeIn[]): LeafHistory {
  const changes = since.length - 1;
  const last = since.findLast(({ leafIndex }) => leafIndex === leaf.leafIndex);
  if (!last || last.leaf === leaf.hash) return { state: 'stands', owner: leaf.owner, changes };
  if (last.leaf === EMPTY_LEAF) return { state: 'burnt', changes };
  const told = attempt(() => readLoggedLeaves(last.raw)) ?? [];
  const now = told.find((one) => one.hash === last.leaf && one.leaf.assetId === leaf.assetId);
  if (!now) return untold('the leaf has changed, and no transaction shows the new leaf');
  const state = now.leaf.owner === leaf.owner ? 'stands' : 'moved';
  return { state, owner: now.leaf.owner, changes };
}

function untold(why: string): LeafHistory {
  return { state: 'untold', why };
}

/** The transactions of an account from the one named on, or why they cannot be had; whole pages, to the end. */
async function signaturesSince(
  rpc: HistoryReader,
  { account, until, most }: { account: string; until: string | null; most: number },
): Promise<string[] | string> {
  const found: string[] = [];
  for (let before: string | undefined; ;) {
    const page = await rpc.getSignaturesForAddress(account, before === undefined ? {} : { before });
    const end = page.findIndex(({ signature }) => signature === until);
    const lines = end < 0 ? page : page.slice(0, end + 1);
    found.push(...lines.filter(({ failed }) => !failed).map(({ signature }) => signature));
    if (end >= 0) return found;
    const oldest = page.at(-1);
    // A node may end its history early: only an empty page ends it, and that proves nothing about the mint.
    if (!oldest) return until === null ? found : 'the history of the tree does not reach the mint';
    if (found.length > most) return `the tree changed more than ${most} times since`;
    before = oldest.signature;
  }
}

/** All of the transactions, or null when the node lacks one. */
async function fetchAll(
  rpc: HistoryReader,
  signatures: readonly string[],
): Promise<unknown[] | null> {
  const found: unknown[] = [];
  for (let at = 0; at < signatures.length; at += WIDTH) {
    const part = signatures.slice(at, at + WIDTH);
    const given = await Promise.all(part.map((one) => fetchTransaction(rpc, one)));
    if (given.includes(null)) return null;
    found.push(...given);
  }
  return found;
}
