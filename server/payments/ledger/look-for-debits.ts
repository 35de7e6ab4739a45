import { normaliseTransaction } from '@quittance/verify/chain/normalise-transaction';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { isNodeSilence, RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import { fetchListed, listedAtOnce } from '@/server/chain/fetch-transaction';
import { isInvented } from '@/server/chain/prove-history';
import type { Rpc } from '@/server/chain/rpc';
import { ServiceError } from '@/server/errors';
import { knownSignatures } from './entries';
import { olderLine } from './list-from-node';
import { type NoteContext, noteRead } from './note-transactions';
import { type Movement, readMovements } from './read-movements';

/** Transactions of PAY_TO that every node showed as giving nothing away: what they are never changes. */
const harmless = new Set<string>();
const MOST_KEPT = 20_000;

/** Anybody can name PAY_TO in transactions. One search reads at most this many, for this long. The next continues. */
const MOST_READ = 400;
const MOST_MS = 8_000;
const RETRY_S = 3;
/** A request that is cut off repeats no more than these. */
const NOTED_AT_ONCE = 100;

/**
 * A transaction that sent USDC from the paid wallet to the payer after the payment and that the ledger does not
 * have yet; null without one. The ledger learns of it within minutes, and a payer who sees a refund come must
 * not be faster. The sender signs with the wallet, so its history names every such transaction.
 * Every node is asked, and what one of them shows counts; one that is silent is left out. What is final and alike
 * on every node goes into the ledger's tables at once, so that no other request reads it again. Throws
 * RpcUnavailable when none answers or none gives a transaction that one lists so that it can be read, unless its
 * block proves that it does not exist, and 503
 * `paid_wallet_busy` when there is more than one search reads.
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

/** What succeeded and neither the ledger nor this process has read. */
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

/** Final and alike on every node. */
type Agreed = Seen & { raw: RawTransaction };
type Some = { wallet: string; payer: string; nodes: readonly Rpc[]; some: readonly Seen[] };

type Looked = { debit: string | null; agreed: Agreed[] };

/** Reads some transactions on every node: the first that sent something to the payer, and what can be noted. */
async function lookAt(ctx: NoteContext, o: Some): Promise<Looked> {
  const { wallet, payer, nodes, some } = o;
  const signatures = some.map(({ signature }) => signature);
  const byNode = await ofAnswering(nodes, (node) => readOn(ctx, { node, wallet, signatures }));
  const agreed: Agreed[] = [];
  for (const [place, seen] of some.entries()) {
    const shown = byNode.flatMap((readings) => readings[place] ?? []);
    const owners = shown.flatMap(({ sent }) => sent).flatMap(({ parties }) => parties);
    if (owners.some(({ owner }) => owner === payer)) return { debit: seen.signature, agreed };
    const [first] = shown;
    if (!first && seen.listedOn === 1 && (await isInvented(ctx.rpc, seen))) continue;
    if (!first)
      throw new RpcUnavailable(`No node gives ${seen.signature}, which one lists, to be read`);
    if (shown.length < ctx.rpc.nodes || !areAlike(shown)) continue;
    if (seen.finalOn === ctx.rpc.nodes) agreed.push({ ...seen, raw: first.raw });
    if (first.sent.length === 0) keep(seen.signature);
  }
  return { debit: null, agreed };
}

type Reading = { raw: RawTransaction; moved: Movement[]; sent: Movement[] };

/** What transactions did to a wallet, as one node shows them; null for one that it does not. */
async function readOn(
  ctx: NoteContext,
  o: { node: Rpc; wallet: string; signatures: readonly string[] },
): Promise<(Reading | null)[]> {
  const answers = await fetchListed(o.node, o.signatures);
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

/** What a node refuses to give or does not have, another may give. */
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

/** What a scan has read to its end is in the ledger: of an old payment only the rest is read. */
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
    `So many new transactions name the paid wallet ${wallet} that this request could not read them all. Nothing of yours was used up. Do not pay again: send the same request with the same payment again in ${RETRY_S} seconds, and it continues from here.`,
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
 * What any node lists in the history of a wallet from a slot on, newest first, and the nodes that answered. Throws
 * RpcUnavailable when none does, or when a history is not read by `end`, in milliseconds of `performance.now()`.
 */
async function listSince(
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
    // One node that says it succeeded is enough to read it.
    known.failed &&= failed;
    known.blockTime ??= blockTime;
    known.finalOn += final ? 1 : 0;
    seen.set(signature, known);
  }
  // One that was silent would be waited for again.
  return { nodes: listed.map(({ node }) => node), seen: [...seen.values()] };
}

/** What the nodes that answer say, each for itself. Throws RpcUnavailable when none does. */
async function ofAnswering<T>(nodes: readonly Rpc[], ask: (node: Rpc) => Promise<T>): Promise<T[]> {
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
