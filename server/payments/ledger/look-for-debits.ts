import { normaliseTransaction } from '@quittance/verify/chain/normalise-transaction';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { isNodeSilence, RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import { fetchListed, listedAtOnce } from '@/server/chain/fetch-transaction';
import { isInvented } from '@/server/chain/prove-history';
import type { Rpc } from '@/server/chain/rpc';
import { perChain } from '@/server/chain/per-chain';
import { ServiceError } from '@/server/errors';
import { knownSignatures } from './entries';
import { olderLine } from './list-from-node';
import { type NoteContext, noteRead } from './note-transactions';
import { type Movement, readMovements } from './read-movements';

/** Transactions of PAY_TO that every node showed as sending nothing. They never change. */
const harmless = new Set<string>();
const MOST_KEPT = 20_000;

/** Anybody can name PAY_TO in transactions. One search reads at most this many, for this long. The next continues. */
const MOST_READ = 400;
const MOST_MS = 8_000;
const RETRY_S = 3;
/** A request that is cut off repeats no more than these. */
const NOTED_AT_ONCE = 100;

/**
 * A transaction after the payment that sent USDC from the paid wallet to the payer and that the
 * ledger does not have yet. Null without one. The ledger learns of it within minutes, and a payer
 * who sees a refund come must not be faster. The sender signs with the wallet, so its history names
 * every such transaction.
 *
 * Every node is asked, and one node that shows it is enough. Silent nodes are skipped. A
 * transaction that is final and alike on every node is written to the ledger at once, so that no
 * other request reads it again.
 *
 * Throws RpcUnavailable when no node answers. Also when no node returns a listed transaction in
 * readable form, unless its block proves that it does not exist. Throws 503 `paid_wallet_busy` when
 * there is more than one search reads.
 */
export async function lookForDebit(
  ctx: NoteContext,
  payment: { payTo: string; payer: string; slot: bigint },
  { mostMs = MOST_MS }: { mostMs?: number } = {},
): Promise<string | null> {
  const { payTo: wallet, payer } = payment;
  const end = performance.now() + mostMs;
  const since = await unreadSince(ctx, payment);
  const { nodes, seen } = await listSince(ctx.rpc, { wallet, slot: since, end });
  const unread = await notYetRead(ctx, wallet, seen);
  let agreed: Agreed[] = [];
  for (let at = 0; at < unread.length;) {
    if (at >= MOST_READ || performance.now() > end) {
      await noteRead(ctx, agreed);
      throw busy(wallet);
    }
    const some = unread.slice(at, at + listedAtOnce(ctx.rpc));
    at += some.length;
    const looked = await lookAt(ctx, { wallet, payer, nodes, some });
    if (looked.debit !== null) return looked.debit;
    agreed.push(...looked.agreed);
    if (agreed.length < NOTED_AT_ONCE) continue;
    await noteRead(ctx, agreed);
    agreed = [];
  }
  await noteRead(ctx, agreed);
  return null;
}

/** Transactions that succeeded and that neither the ledger nor this process has read. */
async function notYetRead(
  { db }: NoteContext,
  account: string,
  seen: readonly Seen[],
): Promise<Seen[]> {
  const fresh = seen.filter(({ signature, failed }) => !failed && !harmless.has(signature));
  const signatures = fresh.map(({ signature }) => signature);
  const known = await knownSignatures(db, { account, signatures });
  return fresh.filter(({ signature }) => !known.has(signature));
}

/** A node, with its place among the RPC URLs. */
type OneNode = { place: number; rpc: Rpc };

/** Final and alike on every node. */
type Agreed = Seen & { raw: RawTransaction };
type Some = { wallet: string; payer: string; nodes: readonly OneNode[]; some: readonly Seen[] };

type Looked = { debit: string | null; agreed: Agreed[] };

/**
 * Reads some transactions on every node. Returns the first that sent something to the payer, and
 * those that can be noted.
 */
async function lookAt(ctx: NoteContext, o: Some): Promise<Looked> {
  const { wallet, payer, nodes, some } = o;
  const byNode = await ofAnswering(nodes, (node) => readOn(ctx, { node, wallet, some }));
  const agreed: Agreed[] = [];
  for (const [place, seen] of some.entries()) {
    const shown = byNode.flatMap((readings) => readings[place] ?? []);
    const owners = shown.flatMap(({ sent }) => sent).flatMap(({ parties }) => parties);
    if (owners.some(({ owner }) => owner === payer)) return { debit: seen.signature, agreed };
    const [first] = shown;
    if (!first && seen.listedOn === 1 && (await isInvented(ctx.rpc, seen))) continue;
    if (!first)
      throw new RpcUnavailable(`No node returns ${seen.signature}, which one lists, to be read`);
    if (shown.length < ctx.rpc.nodes || !areAlike(shown)) continue;
    if (seen.finalOn === ctx.rpc.nodes) agreed.push({ ...seen, raw: first.raw });
    if (first.sent.length === 0) keep(seen.signature);
  }
  return { debit: null, agreed };
}

type Reading = { raw: RawTransaction; moved: Movement[]; sent: Movement[] };

/** In the order of the transactions; null for one that the node does not show. */
type Readings = (Reading | null)[];
type ReadOn = { node: OneNode; wallet: string; some: readonly Seen[] };

/** How long a transaction that a node showed is not asked for again. */
const REUSED_MS = 10_000;
/** New readings and those in flight of each RPC client, by node, wallet, slot and signature. */
const newReadings = perChain(() => new Map<string, Promise<Reading | null>>());

/**
 * The changes of a wallet by transactions, as one node shows them. Simultaneous requests see the
 * same new history, so each transaction is read once for all of them.
 */
async function readOn(ctx: NoteContext, o: ReadOn): Promise<Readings> {
  const readings = newReadings(ctx.rpc);
  const keyOf = (seen: Seen) => `${o.node.place} ${o.wallet} ${seen.slot} ${seen.signature}`;
  const own = o.some.filter((seen) => !readings.has(keyOf(seen)));
  if (own.length > 0) {
    const read = readNow(ctx, { ...o, some: own });
    for (const [at, seen] of own.entries()) {
      const key = keyOf(seen);
      const reading = read.then((all) => all[at] ?? null);
      const forget = () => void readings.delete(key);
      readings.set(key, reading);
      reading.then((one) => (one ? setTimeout(forget, REUSED_MS).unref() : forget()), forget);
    }
  }
  return Promise.all(o.some.map((seen) => readings.get(keyOf(seen)) ?? null));
}

async function readNow(ctx: NoteContext, o: ReadOn): Promise<Readings> {
  const signatures = o.some.map(({ signature }) => signature);
  const answers = await fetchListed(o.node.rpc, signatures);
  const unexpected = answers.find((one) => one.status === 'rejected' && !isRefusal(one.reason));
  if (unexpected?.status === 'rejected') throw unexpected.reason;
  return answers.map((answer) => {
    if (answer.status === 'rejected' || answer.value === 'unsupported') return null;
    const raw = answer.value;
    const tx = normaliseTransaction(raw);
    if (typeof tx === 'string') return null;
    const moved = readMovements(tx, {
      wallets: new Set([o.wallet]),
      network: ctx.env.network,
    });
    const sent = moved.filter(({ direction, mint }) => direction === 'out' && mint !== null);
    return { raw, moved, sent };
  });
}

/** Another node may return what this node refuses or lacks. */
function isRefusal(reason: unknown): boolean {
  return reason instanceof RpcRefused || reason instanceof RpcUnavailable;
}

function areAlike(shown: readonly Reading[]): boolean {
  const words = shown.map(({ moved }) =>
    JSON.stringify(moved, (_, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  );
  return new Set(words).size === 1;
}

/**
 * The ledger has everything that a scan has read to its end. For an old payment only the rest is
 * read.
 */
async function unreadSince(
  { db }: NoteContext,
  { payTo: wallet, slot }: { payTo: string; slot: bigint },
): Promise<bigint> {
  const accounts = await db.ledgerAccount.findMany({
    where: { wallet, token: 'USDC' },
    select: { upToSlot: true },
  });
  const [first] = accounts.map(({ upToSlot }) => upToSlot ?? 0n).sort((a, b) => (a < b ? -1 : 1));
  return first !== undefined && first > slot ? first : slot;
}

function busy(wallet: string): ServiceError {
  return new ServiceError(
    'paid_wallet_busy',
    `So many new transactions name the paid wallet ${wallet} that this request could not read them all. Nothing was used up. Do not pay again. Send the same request with the same payment again in ${RETRY_S} seconds, and it continues from here.`,
    { retryAfterS: RETRY_S },
  );
}

function keep(signature: string): void {
  if (harmless.size >= MOST_KEPT) harmless.clear();
  harmless.add(signature);
}

/** A transaction that a wallet's history names, with the number of nodes that list it as final. */
export type Seen = {
  signature: string;
  failed: boolean;
  blockTime: Date | null;
  /** The highest that a node returns. */
  slot: bigint;
  listedOn: number;
  finalOn: number;
};

/**
 * Transactions that any node lists in the history of a wallet from a slot on, newest first, and the
 * nodes that answered. Throws RpcUnavailable when none does, or when a history is not read by
 * `end`, in milliseconds of `performance.now()`.
 */
async function listSince(
  rpc: Rpc,
  o: { wallet: string; slot: bigint; end: number },
): Promise<{ nodes: OneNode[]; seen: Seen[] }> {
  const all = Array.from({ length: rpc.nodes }, (_, place) => ({ place, rpc: rpc.onNode(place) }));
  const listed = await ofAnswering(all, async (node) => ({
    node,
    lines: await newerThan(node.rpc, o),
  }));
  const seen = new Map<string, Seen>();
  for (const { signature, failed, blockTime, final, slot } of listed.flatMap(
    ({ lines }) => lines,
  )) {
    const fresh = { signature, failed: true, blockTime, slot, listedOn: 0, finalOn: 0 };
    const known = seen.get(signature) ?? fresh;
    known.listedOn += 1;
    if (slot > known.slot) known.slot = slot;
    // One node that says it succeeded is enough to read it.
    known.failed &&= failed;
    known.blockTime ??= blockTime;
    known.finalOn += final ? 1 : 0;
    seen.set(signature, known);
  }
  // One that was silent would be waited for again.
  return { nodes: listed.map(({ node }) => node), seen: [...seen.values()] };
}

/** The answers of the nodes, each its own. Throws RpcUnavailable when none answers. */
async function ofAnswering<T>(
  nodes: readonly OneNode[],
  ask: (node: OneNode) => Promise<T>,
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
