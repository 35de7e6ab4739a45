import { fetchTransaction } from '@/server/chain/fetch-transaction';
import { normaliseTransaction } from '@/server/chain/normalise-transaction';
import type { RawTransaction } from '@/server/chain/raw-transaction';
import type { Rpc } from '@/server/chain/rpc';
import type { SignatureLine } from '@/server/chain/rpc-schemas';
import { isNodeSilence, RpcRefused, RpcUnavailable } from '@/server/chain/rpc-errors';
import { olderLine } from '../older-line';
import { knownSignatures } from './entries';
import type { NoteContext } from './note-transactions';
import { readMovements, type Movement } from './read-movements';

/** Transactions of PAY_TO that every node showed as giving nothing away: what they are never changes. */
const harmless = new Set<string>();
const MOST_KEPT = 20_000;

/**
 * A transaction that sent USDC from the paid wallet to the payer after the payment and that the ledger does not
 * have yet; null without one. The ledger learns of it within minutes, and a payer who sees a refund come must
 * not be faster. Whoever sends from a wallet signs with it, so its own history names every such transaction.
 * Every node is asked, and what one of them shows counts; one that is silent is left out. Throws RpcUnavailable
 * when none answers or none gives a transaction that one lists so that it can be read.
 */
export async function lookForDebit(
  ctx: NoteContext,
  payment: { payTo: string; payer: string; slot: bigint },
): Promise<string | null> {
  const { payTo: wallet, payer } = payment;
  const since = await unreadSince(ctx, payment);
  const all = Array.from({ length: ctx.rpc.nodes }, (_, node) => ctx.rpc.onNode(node));
  const listed = await ofAnswering(all, async (node) => ({
    node,
    lines: await newerThan(node, { wallet, slot: since }),
  }));
  // One that was silent would be waited for again.
  const nodes = listed.map(({ node }) => node);
  const signatures = listed
    .flatMap(({ lines }) => lines)
    .filter(({ signature, failed }) => !failed && !harmless.has(signature))
    .map(({ signature }) => signature);
  const known = await knownSignatures(ctx.db, { account: wallet, signatures });
  for (const signature of new Set(signatures)) {
    if (known.has(signature)) continue;
    const readings = await ofAnswering(nodes, (node) => sentTo(ctx, { node, wallet, signature }));
    const shown = readings.filter((sent) => sent !== null);
    const owners = shown.flat().flatMap(({ parties }) => parties.map(({ owner }) => owner));
    if (owners.includes(payer)) return signature;
    if (shown.length === 0)
      throw new RpcUnavailable(`No node gives ${signature}, which one lists, to be read`);
    if (shown.length === ctx.rpc.nodes && shown.every(({ length }) => length === 0))
      keep(signature);
  }
  return null;
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

/** What a transaction sent from a wallet in tokens, as one node shows it; null when it does not. */
async function sentTo(
  ctx: NoteContext,
  o: { node: Rpc; wallet: string; signature: string },
): Promise<Movement[] | null> {
  const raw = await giveOrNull(o);
  const tx = raw && normaliseTransaction(raw);
  if (tx === null || typeof tx === 'string') return null;
  return readMovements(tx, {
    wallets: new Set([o.wallet]),
    network: ctx.env.network,
  }).filter(({ direction, mint }) => direction === 'out' && mint !== null);
}

/** Null also for what a node refuses to give: another may give it. */
async function giveOrNull(o: { node: Rpc; signature: string }): Promise<RawTransaction | null> {
  try {
    return await fetchTransaction(o.node, o.signature);
  } catch (error) {
    if (error instanceof RpcRefused) return null;
    throw error;
  }
}

/** What a scan has read to its end is in the ledger, and told by it: of an old payment only the rest is read. */
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

async function newerThan(
  node: Rpc,
  { wallet, slot }: { wallet: string; slot: bigint },
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
    last = olderLine(oldest, last);
  }
}

function keep(signature: string): void {
  if (harmless.size >= MOST_KEPT) harmless.clear();
  harmless.add(signature);
}
