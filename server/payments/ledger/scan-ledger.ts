import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import type { LedgerAccount } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-clock';
import { ledgerWallets, refreshAccounts } from './accounts';
import { knownSignatures, notePositions, sumUpTo } from './entries';
import { type Balance, balancesAt, historyOf } from './list-from-node';
import { type NoteContext, noteTransactions } from './note-transactions';

/** Two minutes: a node may learn of a transaction later than of its neighbours. */
const OVERLAP_SLOTS = 300n;

export type Scanned = {
  /** New rows that move something. */
  noted: number;
  /** Accounts whose rows add up to the balance that the nodes return. */
  agreed: number;
  /** Accounts whose rows do not. */
  differing: number;
  /** Accounts that were not read to the end, for lack of time or nodes. */
  unfinished: number;
  /** Errors of the scan, for the log. */
  troubles: string[];
};

/**
 * Brings the ledger up to date with the chain. Each node is asked for the balances of our accounts
 * and then for their histories. The ledger takes in what any of them lists.
 *
 * A position is saved only when the rows of the account add up to the balance that every node gave.
 * If there are two nodes, both must have given it. If a node silently shortens a page, a difference
 * remains and the account is read again from its beginning. So no row is lost. Safe to run at any
 * time, in several processes at once, and to break off anywhere.
 */
export async function scanLedger(
  ctx: NoteContext,
  o: {
    /** Longest time of a scan, by the monotonic clock of this process. The next one takes the rest. */
    mostMs: number;
    /** How far back histories without a difference are read again. The default is two minutes. */
    overlapSlots?: bigint;
  },
): Promise<Scanned> {
  const end = performance.now() + o.mostMs;
  const wallets = await ledgerWallets(ctx);
  const accounts = await refreshAccounts(ctx, wallets);
  const seen: Map<string, Balance>[] = [];
  const troubles: string[] = [];
  let noted = 0;
  for (let node = 0; node < ctx.rpc.nodes; node += 1) {
    const look = { wallets, accounts, end, overlap: o.overlapSlots ?? OVERLAP_SLOTS };
    const looked = await lookFrom(ctx, ctx.rpc.onNode(node), look);
    seen.push(looked.balances);
    noted += looked.noted;
    troubles.push(...looked.troubles);
  }
  const result: Scanned = { noted, agreed: 0, differing: 0, unfinished: 0, troubles };
  for (const account of accounts) result[await conclude(ctx, account, seen)] += 1;
  return result;
}

type Look = {
  wallets: ReadonlySet<string>;
  accounts: readonly LedgerAccount[];
  end: number;
  overlap: bigint;
};

/**
 * Notes the transactions that one node lists. Returns its balances of the accounts that were read
 * to the end.
 */
async function lookFrom(
  ctx: NoteContext,
  node: Rpc,
  look: Look,
): Promise<{ balances: Map<string, Balance>; noted: number; troubles: string[] }> {
  const balances = new Map<string, Balance>();
  const troubles: string[] = [];
  let noted = 0;
  try {
    const all = await balancesAt(node, look.accounts);
    for (const account of look.accounts) {
      const balance = all.get(account.account);
      if (!balance) continue;
      const looked = await lookThrough(ctx, node, { ...look, account, balance });
      noted += looked.noted;
      troubles.push(...looked.unreadable.map((signature) => `${signature} cannot be read`));
      if (!looked.isDone) break;
      balances.set(account.account, balance);
    }
  } catch (error) {
    if (!isNodeSilence(error)) throw error;
    troubles.push(error.message);
  }
  return { balances, noted, troubles };
}

async function lookThrough(
  ctx: NoteContext,
  node: Rpc,
  o: Look & { account: LedgerAccount; balance: Balance },
): Promise<{ noted: number; unreadable: string[]; isDone: boolean }> {
  const { account } = o.account;
  // Never opened, never paid. A transaction that closes an account later names its wallet, so it is
  // found there.
  if (!o.balance.exists && o.account.upToSlot !== null && (await isEmpty(ctx, account)))
    return { noted: 0, unreadable: [], isDone: true };
  const since = sinceOf(o.account, o.overlap);
  const unreadable: string[] = [];
  let noted = 0;
  for await (const { lines, positions } of historyOf(node, { account, since })) {
    const wanted = lines.filter(({ slot, failed }) => slot >= since && mayMove(o.account, failed));
    const signatures = wanted.map(({ signature }) => signature);
    const known = await knownSignatures(ctx.db, { account, signatures });
    const listed = wanted.filter(({ signature }) => !known.has(signature));
    const made = await noteTransactions(ctx, { wallets: o.wallets, listed });
    noted += made.written;
    unreadable.push(...made.unreadable);
    if (positions.size > 0) await notePositions(ctx.db, { account, positions });
    if (performance.now() > o.end) return { noted, unreadable, isDone: false };
  }
  return { noted, unreadable, isDone: true };
}

/** A failed transaction moves nothing but the network fee of the wallet that sent it. */
function mayMove({ mint }: LedgerAccount, failed: boolean): boolean {
  return !failed || mint === null;
}

/** From the beginning where the rows did not add up the last time. */
function sinceOf({ upToSlot, differenceRaw }: LedgerAccount, overlap: bigint): bigint {
  if (upToSlot === null || differenceRaw !== 0n) return 0n;
  return upToSlot > overlap ? upToSlot - overlap : 0n;
}

async function isEmpty({ db }: NoteContext, account: string): Promise<boolean> {
  return (await db.ledgerEntry.findFirst({ where: { account }, select: { slot: true } })) === null;
}

/**
 * Compares the rows of an account with the balances from the nodes, and notes up to which point
 * they agree.
 */
async function conclude(
  { db, rpc }: NoteContext,
  { account, differsSince }: LedgerAccount,
  seen: readonly Map<string, Balance>[],
): Promise<'agreed' | 'differing' | 'unfinished'> {
  const balances = seen.flatMap((one) => one.get(account) ?? []);
  if (balances.length < Math.min(2, rpc.nodes)) return 'unfinished';
  const [oldest] = [...balances].sort((a, b) => (a.slot < b.slot ? -1 : 1));
  if (!oldest) return 'unfinished';
  const checkedAt = await databaseNow(db);
  for (const { slot, amount } of balances) {
    const difference = amount - (await sumUpTo(db, { account, slot }));
    if (difference === 0n) continue;
    await db.ledgerAccount.update({
      where: { account },
      data: {
        differenceRaw: difference,
        differsSince: differsSince ?? checkedAt,
        checkedAt,
        balanceRaw: amount,
        balanceSlot: slot,
      },
    });
    return 'differing';
  }
  await db.$executeRaw`
    update ledger_accounts set
      up_to_slot = greatest(up_to_slot, ${oldest.slot}::bigint), balance_raw = ${oldest.amount},
      balance_slot = ${oldest.slot}, difference_raw = 0, differs_since = null, checked_at = ${checkedAt}
    where account = ${account}`;
  return 'agreed';
}

/** Longer than any history takes: the operator waits for its end. */
const MOST_MS = 24 * 3_600_000;
/**
 * More slots than the chain will have for centuries, so every history is read from its beginning.
 */
const ALL_SLOTS = 10n ** 18n;

/**
 * Reads the ledger again from the chain after an old backup was restored: every account of the
 * wallets that were ever paid, from its beginning. Existing rows stay unchanged. The operator's
 * records after the backup are not on chain. Their debits are unexplained again, and payments that
 * they may have refunded buy nothing until the operator records them again. Safe to repeat.
 */
export async function rebuildLedger(
  ctx: NoteContext,
  wallets: ReadonlySet<string>,
): Promise<Scanned> {
  await refreshAccounts(ctx, wallets);
  return scanLedger(ctx, { mostMs: MOST_MS, overlapSlots: ALL_SLOTS });
}

export type LedgerState = {
  /**
   * `rows`: the chain holds more or less than the ledger. `unexplained`: money left without a
   * record.
   */
  differences: {
    token: string;
    decimals: number;
    kind: 'rows' | 'unexplained';
    amountRaw: bigint;
  }[];
  /** Seconds since the account that waits longest was read to its end. */
  ageS: number;
  /** Accounts of ours in mints that are not in the table, which are only counted. */
  otherMints: number;
};

type Figure = { token: string; decimals: number; amount: string };

/** Whether the ledger agrees with the chain, in a few reads that use small indexes. */
export async function ledgerState(db: Db): Promise<LedgerState> {
  const [rows, unexplained, [times]] = await Promise.all([
    db.$queryRaw<Figure[]>`
      select token, max(decimals) as decimals, sum(abs(difference_raw))::text as amount
      from ledger_accounts where token is not null group by token`,
    db.$queryRaw<Figure[]>`
      select token, max(decimals) as decimals, sum(amount_raw - cost_raw)::text as amount
      from ledger_entries where direction = 'out' and purpose is null group by token`,
    db.$queryRaw<{ age: number | null; others: number }[]>`
      select extract(epoch from clock_timestamp()
          - min(coalesce(checked_at, created_at)) filter (where token is not null))::float as age,
        (count(*) filter (where token is null))::int as others
      from ledger_accounts`,
  ]);
  const figure = (kind: 'rows' | 'unexplained') => (one: Figure) => ({
    token: one.token,
    decimals: one.decimals,
    kind,
    amountRaw: BigInt(one.amount),
  });
  return {
    differences: [...rows.map(figure('rows')), ...unexplained.map(figure('unexplained'))],
    ageS: Math.max(0, times?.age ?? 0),
    otherMints: times?.others ?? 0,
  };
}
