import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { LedgerEntry, PrismaClient } from '@/generated/prisma/client';
import { AGREEING_NODES, NodesDiffer, shownAlike } from '@/server/chain/node-statuses';
import { isInvented } from '@/server/chain/prove-history';
import { writeAudit } from '@/server/db/audit';
import type { Db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-clock';
import { ledgerWallets } from './accounts';
import { lockPayment, type NotedTransaction, partiesOf, writeEntries } from './entries';
import { movementInText, type NoteContext, readFinal } from './note-transactions';
import type { Movement } from './read-movements';

/** Transactions that two nodes are asked for at once. */
const AT_ONCE = 8;
/** Minutes until a transaction on which two nodes do not agree is asked for again. */
const RETRY_MINUTES = 10;

export type Confirmed = {
  /** Transactions that two nodes show as the ledger has them. */
  confirmed: number;
  /** Signatures of those that two nodes show differently, or that do not exist. Their rows were replaced or removed. */
  corrected: string[];
  /** Transactions on which two nodes do not agree now. They are asked again later. */
  undecided: number;
};

type NoteWithClient = NoteContext & { db: PrismaClient };
type Due = { signature: string; slot: bigint };

/**
 * Checks new rows of the ledger against two nodes, because a scan may have written the word of one. A row that two
 * nodes show differently is replaced, and a row of a transaction that does not exist is removed. Each correction
 * has an audit entry. Does nothing with one node. Safe to repeat and to stop anywhere.
 */
export async function confirmEntries(
  ctx: NoteWithClient,
  { mostMs }: { mostMs: number },
): Promise<Confirmed> {
  const result: Confirmed = { confirmed: 0, corrected: [], undecided: 0 };
  if (ctx.rpc.nodes < AGREEING_NODES) return result;
  const end = performance.now() + mostMs;
  while (performance.now() < end) {
    const due = await dueNow(ctx.db);
    if (due.length === 0) break;
    // Read after the rows: another process may have added the rows of a new wallet meanwhile.
    const wallets = await ledgerWallets(ctx);
    const outcomes = await Promise.all(due.map((one) => confirmOne(ctx, { ...one, wallets })));
    result.confirmed += outcomes.filter((one) => one === 'confirmed').length;
    result.undecided += outcomes.filter((one) => one === 'undecided').length;
    result.corrected.push(
      ...due.filter((_, at) => outcomes[at] === 'corrected').map(({ signature }) => signature),
    );
  }
  return result;
}

function dueNow(db: Db): Promise<Due[]> {
  return db.$queryRaw<Due[]>`
    select signature, max(slot) as slot from ledger_entries
    where recheck_at <= clock_timestamp()
    group by signature order by min(recheck_at), signature limit ${AT_ONCE}`;
}

type Outcome = 'confirmed' | 'corrected' | 'undecided';

async function confirmOne(
  ctx: NoteWithClient,
  one: Due & { wallets: ReadonlySet<string> },
): Promise<Outcome> {
  const shown = await readOnTwo(ctx, one);
  const outcome = shown === 'undecided' ? shown : await keepOrCorrect(ctx.db, { ...one, shown });
  if (outcome === 'undecided') await postpone(ctx.db, one.signature);
  return outcome;
}

async function postpone(db: Db, signature: string): Promise<void> {
  await db.$executeRaw`
    update ledger_entries set recheck_at = clock_timestamp() + make_interval(mins => ${RETRY_MINUTES}::int)
    where signature = ${signature} and recheck_at is not null`;
}

/** The movements of a transaction that two nodes show; null if it is proven that there is none. */
async function readOnTwo(
  ctx: NoteContext,
  o: Due & { wallets: ReadonlySet<string> },
): Promise<NotedTransaction | null | 'undecided'> {
  try {
    return await shownAlike(ctx.rpc, {
      what: `the movements of ${o.signature}`,
      ask: (rpc) => readFinal({ ...ctx, rpc }, o),
      contentOf: (noted) => textOf(rowsOf(noted)),
    });
  } catch (error) {
    if (error instanceof NodesDiffer) return 'undecided';
    if (!(error instanceof RpcUnavailable)) throw error;
    return (await isInvented(ctx.rpc, o)) ? null : 'undecided';
  }
}

type Row = Omit<Movement, 'purpose'> & { slot: bigint; blockTime: Date; memos: readonly string[] };

/** The content of rows, without the operator's records about them. */
function textOf(rows: readonly Row[]): string {
  const lines = rows.map((row) =>
    [
      ...[movementInText(row), row.wallet, row.mint, row.decimals, row.direction, row.before],
      ...[row.after, row.slot, row.blockTime.toISOString(), JSON.stringify(row.memos)],
    ].join(' '),
  );
  return lines.sort().join('\n');
}

function rowsOf({ slot, blockTime, memos, movements }: NotedTransaction): Row[] {
  return movements.map((one) => ({ ...one, slot, blockTime, memos }));
}

function toRow(entry: LedgerEntry): Row {
  const { amountRaw: amount, costRaw: cost, beforeRaw: before, afterRaw: after } = entry;
  const memos = Array.isArray(entry.memos) ? entry.memos.map(String) : [];
  return { ...entry, amount, cost, before, after, memos, parties: partiesOf(entry) };
}

function keepOrCorrect(
  db: PrismaClient,
  o: { signature: string; wallets: ReadonlySet<string>; shown: NotedTransaction | null },
): Promise<Outcome> {
  const { signature, wallets, shown } = o;
  return db.$transaction(async (tx) => {
    // A purchase and a refund hold this lock while they read the rows.
    await lockPayment(tx, signature);
    const rows = await tx.ledgerEntry.findMany({ where: { signature } });
    // The nodes were not asked about a wallet that another process added meanwhile.
    if (shown && !rows.every(({ wallet }) => wallets.has(wallet))) return 'undecided';
    const before = textOf(rows.map(toRow));
    const now = shown && textOf(rowsOf(shown));
    const isAlike = before === (now ?? '');
    if (!isAlike) await replace(tx, { signature, rows, shown, detail: { before, now } });
    await tx.ledgerEntry.updateMany({ where: { signature }, data: { recheckAt: null } });
    return isAlike ? 'confirmed' : 'corrected';
  });
}

async function replace(
  tx: Db,
  o: {
    signature: string;
    rows: readonly LedgerEntry[];
    shown: NotedTransaction | null;
    detail: { before: string; now: string | null };
  },
): Promise<void> {
  const { signature, rows, shown, detail } = o;
  const at = await databaseNow(tx);
  await tx.ledgerEntry.deleteMany({ where: { signature } });
  if (shown) await writeEntries(tx, [shown], at);
  for (const { account, position, purpose } of rows) {
    await tx.ledgerEntry.updateMany({ where: { signature, account }, data: { position } });
    // The operator's word stays where something left. A refund is marked from its own record.
    if (purpose === 'withdrawal')
      await tx.ledgerEntry.updateMany({
        where: { signature, account, direction: 'out', purpose: null },
        data: { purpose },
      });
  }
  await writeAudit(tx, {
    at,
    actor: 'system',
    action: shown ? 'ledger.correct' : 'ledger.remove',
    subject: signature,
    detail,
  });
}
