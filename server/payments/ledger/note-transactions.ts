import type { LedgerEntry } from '@/generated/prisma/client';
import { fetchListed, listedAtOnce } from '@/server/chain/fetch-transaction';
import { isOf } from '@quittance/verify/chain/fetch-transaction';
import {
  normaliseTransaction,
  type NormalTransaction,
} from '@quittance/verify/chain/normalise-transaction';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { readActions } from '@quittance/verify/chain/read-actions';
import {
  RpcRefused,
  RpcUnavailable,
  UNSUPPORTED_VERSION,
} from '@quittance/verify/chain/rpc-errors';
import { AGREEING_NODES, NodesDiffer, shownAlike } from '@/server/chain/node-statuses';
import type { ServiceContext } from '@/server/context';
import { databaseNow } from '@/server/db/database-clock';
import { addAccounts, ledgerWallets } from './accounts';
import {
  entriesOf,
  isFromOutside,
  partiesOf,
  writeEntries,
  type NotedTransaction,
} from './entries';
import { type Movement, readMovements } from './read-movements';

export type NoteContext = Pick<ServiceContext, 'db' | 'env' | 'rpc'>;

/** Signatures of final transactions that the ledger does not have yet, with the times that the list gives. */
export type Listed = { signature: string; blockTime: Date | null };

/**
 * Reads final transactions and writes what they did to our accounts. Accounts that they name and
 * that are not on the list join it. Returns the number of new rows that move something, and the
 * transactions that could not be read. Their missing rows show in the balance of the account.
 * Throws RpcUnavailable when one of them is not available; those that were read are still written.
 */
export async function noteTransactions(
  ctx: NoteContext,
  o: { wallets: ReadonlySet<string>; listed: readonly Listed[] },
): Promise<{ written: number; unreadable: string[] }> {
  let written = 0;
  const unreadable: string[] = [];
  for (let at = 0; at < o.listed.length;) {
    const some = o.listed.slice(at, at + listedAtOnce(ctx.rpc));
    at += some.length;
    const answers = await fetchListed(
      ctx.rpc,
      some.map(({ signature }) => signature),
    );
    const read = answers.flatMap((answer, index) => {
      const one = some[index];
      if (!one || answer.status === 'rejected') return [];
      const noted = toNoted(ctx, answer.value, { ...one, wallets: o.wallets });
      if (!noted) unreadable.push(one.signature);
      return noted ? [noted] : [];
    });
    written += await write(ctx, read);
    const missing = answers.find((answer) => answer.status === 'rejected');
    if (missing) throw missing.reason;
  }
  return { written, unreadable };
}

/**
 * Notes one transaction now, without waiting for the next scan, and returns its entries in the
 * ledger. Empty if it is not final, failed, or does not concern us. Throws RpcUnavailable.
 */
export async function noteTransaction(ctx: NoteContext, signature: string): Promise<LedgerEntry[]> {
  const known = await entriesOf(ctx.db, signature);
  if (known.length > 0) return known;
  const noted = await readFinal(ctx, { signature, wallets: await ledgerWallets(ctx) });
  if (noted) await write(ctx, [noted]);
  return entriesOf(ctx.db, signature);
}

/** Notes final transactions that were read already. Throws RpcUnavailable for one without a time of its block. */
export async function noteRead(
  ctx: Pick<NoteContext, 'db' | 'env'>,
  read: readonly (Listed & { raw: RawTransaction })[],
): Promise<void> {
  if (read.length === 0) return;
  const wallets = await ledgerWallets(ctx);
  await write(
    ctx,
    read.flatMap(({ raw, ...one }) => toNoted(ctx, raw, { ...one, wallets }) ?? []),
  );
}

type Shown = { slot: bigint; movements: Movement[] };

/**
 * The changes of our wallets by a final transaction, if two nodes show the same slot, tokens,
 * amounts and owners. A refund must not depend on one node. Throws NodesDiffer where nodes
 * contradict each other, and RpcUnavailable where too few show it.
 */
export async function shownByTwo(
  ctx: NoteContext,
  { signature, direction }: { signature: string; direction: 'in' | 'out' },
): Promise<Shown> {
  const counts = (one: Movement) => one.direction === direction && isFromOutside(one);
  const wallets = await ledgerWallets(ctx);
  return shownAlike(ctx.rpc, {
    what: `the movements of ${signature}`,
    ask: async (rpc) => {
      const noted = await readFinal({ ...ctx, rpc }, { signature, wallets });
      return noted && { slot: noted.slot, movements: noted.movements.filter(counts) };
    },
    contentOf: shownInText,
  });
}

/**
 * The changes of our accounts by a final transaction; null for one that is not final. Throws
 * RpcUnavailable.
 */
export async function readFinal(
  ctx: Pick<NoteContext, 'env' | 'rpc'>,
  { signature, wallets }: { signature: string; wallets: ReadonlySet<string> },
): Promise<NotedTransaction | null> {
  const raw = await finalTransaction(ctx, signature);
  return raw && toNoted(ctx, raw, { signature, blockTime: null, wallets });
}

/** Null for a node that shows no movement: it may lack the balances. */
function shownInText({ slot, movements }: Shown): string | null {
  return movements.length === 0
    ? null
    : JSON.stringify([`${slot}`, ...movements.map(movementInText)]);
}

/** The account, token, amounts and parties of a movement on one line, to compare nodes and rows. */
export function movementInText(
  one: Pick<Movement, 'account' | 'token' | 'amount' | 'cost' | 'parties'>,
): string {
  const { account, token, amount, cost } = one;
  const parties = one.parties.map((party) => `${party.owner} ${party.amount}`).sort();
  return [account, token, amount, cost, ...parties].join(' ');
}

/**
 * Checks that two nodes, if there are two, confirm the entries of the ledger for money that left
 * our wallets in a transaction. The entries may be one node's word. Throws NodesDiffer and
 * RpcUnavailable.
 */
export async function requireDebitsShown(
  ctx: NoteContext,
  o: { signature: string; entries: readonly LedgerEntry[] },
): Promise<void> {
  const { signature, entries } = o;
  if (ctx.rpc.nodes < AGREEING_NODES || entries.length === 0) return;
  const { slot, movements } = await shownByTwo(ctx, { signature, direction: 'out' });
  const shown = new Set(movements.map(movementInText));
  const isShown = (entry: LedgerEntry): boolean => {
    const { account, token, amountRaw: amount, costRaw: cost } = entry;
    const noted = movementInText({ account, token, amount, cost, parties: partiesOf(entry) });
    return entry.slot === slot && shown.has(noted);
  };
  if (!entries.every(isShown))
    throw new NodesDiffer(`Two nodes show another debit than the ledger: ${signature}`);
}

async function finalTransaction(
  { rpc }: Pick<NoteContext, 'rpc'>,
  signature: string,
): Promise<RawTransaction | null> {
  try {
    const raw = await rpc.getTransaction(signature, 'finalized');
    if (raw !== null && !isOf(raw, signature))
      throw new RpcUnavailable(`A node returned another transaction than ${signature}`);
    return raw;
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error;
    // The one refusal that concerns the transaction itself. Any other says nothing about it.
    if (error.code === UNSUPPORTED_VERSION) return null;
    throw new RpcUnavailable(error.message, { cause: error });
  }
}

function toNoted(
  { env }: Pick<NoteContext, 'env'>,
  raw: RawTransaction | 'unsupported',
  o: Listed & { wallets: ReadonlySet<string> },
): NotedTransaction | null {
  const tx = raw === 'unsupported' ? raw : normaliseTransaction(raw);
  if (typeof tx === 'string') return null;
  const blockTime = tx.blockTime ?? o.blockTime;
  if (blockTime === null) throw new RpcUnavailable('A node has no time of the block');
  return {
    signature: o.signature,
    slot: tx.slot,
    blockTime,
    memos: memosOf(tx),
    movements: readMovements(tx, { wallets: o.wallets, network: env.network }),
  };
}

function memosOf(tx: NormalTransaction): string[] {
  return readActions(tx.instructions).flatMap((action) =>
    action.kind === 'memo' ? [action.text.trim()] : [],
  );
}

async function write(
  { db }: Pick<NoteContext, 'db'>,
  noted: readonly NotedTransaction[],
): Promise<number> {
  if (noted.length === 0) return 0;
  await addAccounts(
    db,
    noted.flatMap(({ movements }) => movements),
  );
  return writeEntries(db, noted, await databaseNow(db));
}
