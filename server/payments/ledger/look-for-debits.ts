import { fetchTransaction } from '@/server/chain/fetch-transaction';
import { normaliseTransaction } from '@/server/chain/normalise-transaction';
import type { SignatureLine } from '@/server/chain/rpc-schemas';
import { RpcUnavailable } from '@/server/chain/rpc-errors';
import { knownSignatures } from './entries';
import type { NoteContext } from './note-transactions';
import { readMovements } from './read-movements';

/** Transactions of PAY_TO that were read and gave nothing away: what they are never changes. */
const harmless = new Set<string>();
const MOST_KEPT = 20_000;

/**
 * A transaction that sent USDC from the paid wallet to the payer after the payment and that the ledger does not
 * have yet; null without one. The ledger learns of it within minutes, and a payer who sees a refund come must
 * not be faster. Whoever sends from a wallet signs with it, so its own history names every such transaction.
 * Throws RpcUnavailable.
 */
export async function lookForDebit(
  ctx: NoteContext,
  payment: { payTo: string; payer: string; slot: bigint },
): Promise<string | null> {
  const { payTo: wallet, payer } = payment;
  const since = await unreadSince(ctx, payment);
  const lines = (await newerThan(ctx, { payTo: wallet, slot: since })).filter(
    ({ signature, failed }) => !failed && !harmless.has(signature),
  );
  const signatures = lines.map(({ signature }) => signature);
  const known = await knownSignatures(ctx.db, { account: wallet, signatures });
  for (const signature of signatures.filter((one) => !known.has(one))) {
    const raw = await fetchTransaction(ctx.rpc, signature);
    if (raw === null) throw new RpcUnavailable(`No node gives ${signature}, which one lists`);
    const tx = normaliseTransaction(raw);
    if (typeof tx === 'string') continue;
    const wallets = new Set([wallet]);
    const sent = readMovements(tx, { wallets, network: ctx.env.network }).filter(
      ({ direction, mint }) => direction === 'out' && mint !== null,
    );
    if (sent.some(({ parties }) => parties.some(({ owner }) => owner === payer))) return signature;
    if (sent.length === 0) keep(signature);
  }
  return null;
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
  { rpc }: NoteContext,
  { payTo, slot }: { payTo: string; slot: bigint },
): Promise<SignatureLine[]> {
  const newer: SignatureLine[] = [];
  let before: string | undefined;
  for (;;) {
    const lines = await rpc.getSignaturesForAddress(payTo, before ? { before } : {});
    newer.push(...lines.filter((line) => line.slot >= slot));
    const oldest = lines.at(-1);
    if (!oldest || oldest.slot < slot) return newer;
    before = oldest.signature;
  }
}

function keep(signature: string): void {
  if (harmless.size >= MOST_KEPT) harmless.clear();
  harmless.add(signature);
}
