import { toDecimal, USDC_DECIMALS } from '@quittance/verify/money';
import { UNDECIDED_KINDS } from '@/server/chain/undecided-transactions';
import { slotsByNode } from '@/server/chain/node-statuses';
import type { ServiceContext } from '@/server/context';
import type { Db } from '@/server/db/client';
import { loneSeconds, metrics } from '@/server/metrics';
import { treeSpace } from '@/server/nft/trees';
import { clockSkew, paidRoutesState } from '@/server/payments/check-accounts';
import { lastBooks } from '@/server/payments/ledger/reconcile';
import { ledgerState } from '@/server/payments/ledger/scan-ledger';
import { freeMintsLeft } from '@/server/receipts/free-budget';
import { storageBalance } from '@/server/storage/request-storage';
import { countSecondNfts, countUndecided } from './list-mints';

/** Reads one part, and returns the function that writes its metrics at once. Throws when the part does not answer. */
export type ReadPart = (service: ServiceContext) => Promise<() => void>;

/** Reads at most once in a while. A failure is not kept. */
function keptFor(keepMs: number, read: ReadPart): ReadPart {
  let kept: { at: number; write: () => void } | undefined;
  return async (service) => {
    if (kept && performance.now() - kept.at < keepMs) return kept.write;
    kept = undefined;
    const write = await read(service);
    kept = { at: performance.now(), write };
    return write;
  };
}

type Row = Record<string, string | number | bigint | null>;
const KINDS = ['receipt', 'statement'] as const;

/** Mints that are not completed, and duration and cost of mints. */
export async function readMints({ db, clock }: ServiceContext): Promise<() => void> {
  const now = clock.now();
  const hourAgo = new Date(now.getTime() - 3_600_000);
  const [open, times, estimate, second, undecided, totals] = await Promise.all([
    db.$queryRaw<Row[]>`
      select status, stage, count(*) as count, sum(attempts) as attempts, min(created_at)::text as oldest
      from mints where status in ('pending', 'failed') group by status, stage`,
    db.$queryRaw<Row[]>`
      select
        extract(epoch from percentile_cont(0.5) within group (order by completed_at - created_at))::float as "50",
        extract(epoch from percentile_cont(0.95) within group (order by completed_at - created_at))::float as "95"
      from mints where status = 'completed' and created_at > ${hourAgo}`,
    db.$queryRaw<Row[]>`select reltuples::bigint as count from pg_class where relname = 'receipts'`,
    countSecondNfts(db),
    countUndecided(db),
    runningTotals(db),
  ]);
  const mints = metrics().readings.mints;
  return () => {
    let attempts = 0;
    let oldest = now.getTime();
    for (const row of open) {
      const labels = { status: String(row['status']), stage: String(row['stage']) };
      mints.open.set(Number(row['count']), labels);
      if (row['status'] !== 'pending') continue;
      attempts += Number(row['attempts'] ?? 0);
      oldest = Math.min(oldest, Date.parse(String(row['oldest'])));
    }
    mints.attempts.set(attempts);
    mints.oldest.set((now.getTime() - oldest) / 1000);
    for (const percentile of ['50', '95']) {
      const seconds = times[0]?.[percentile] ?? null;
      if (seconds !== null) mints.seconds.set(Number(seconds), { percentile });
    }
    mints.receipts.set(Math.max(0, Number(estimate[0]?.['count'] ?? 0)));
    mints.secondNfts.set(second);
    for (const kind of UNDECIDED_KINDS) mints.undecided.set(0, { kind });
    for (const { kind, count } of undecided) mints.undecided.set(Number(count), { kind });
    for (const kind of KINDS) {
      mints.costLamports.set(0, { kind });
      mints.costed.set(0, { kind });
    }
    for (const { name, label: kind, amount } of totals) {
      if (name === 'mint_cost') mints.costLamports.set(Number(amount), { kind });
      if (name === 'mint_costed') mints.costed.set(Number(amount), { kind });
    }
  };
}

/** Space for receipts: leaves of the trees, and the free receipts of the day. */
export async function readSpace({ db, env, clock }: ServiceContext): Promise<() => void> {
  const [space, freeLeft] = await Promise.all([
    treeSpace(db, { network: env.network, minter: env.minter.publicKey }),
    freeMintsLeft(db, { limits: env.limits, now: clock.now() }),
  ]);
  const readings = metrics().readings.space;
  return () => {
    readings.left.set(Number(space.left));
    readings.capacity.set(Number(space.capacity));
    if (freeLeft !== null) readings.freeLeft.set(freeLeft);
  };
}

/** Files that pending mints wait for. */
export async function readUploads({ db }: ServiceContext): Promise<() => void> {
  const [row] = await db.$queryRaw<{ count: number; age: number | null }[]>`
    select count(*)::int as count, extract(epoch from clock_timestamp() - min(item.created_at))::float as age
    from mints join stored_items item on item.id in (mints.metadata_item_id, mints.image_item_id)
    where mints.status = 'pending' and item.uploaded_at is null`;
  const { waiting, oldest } = metrics().readings.uploads;
  return () => {
    waiting.set(row?.count ?? 0);
    oldest.set(Math.max(0, row?.age ?? 0));
  };
}

const DAY_MS = 86_400_000;
const DIALECTS = ['documented', 'v1', 'v2'] as const;

/** Payments of the last day, and all fees so far by dialect. */
export async function readPayments({ db, clock }: ServiceContext): Promise<() => void> {
  const since = new Date(clock.now().getTime() - DAY_MS);
  const [rows, totals, state] = await Promise.all([
    db.$queryRaw<{ dialect: string; state: string; count: bigint }[]>`
      select dialect, state, count(*) as count from payments
      where state in ('claimed', 'sent', 'settled', 'used', 'unused', 'refunded', 'failed')
        and created_at > ${since}
      group by dialect, state`,
    runningTotals(db),
    paidRoutesState(),
  ]);
  const { lastDay, fees, feesUndone, open, settling, lone } = metrics().readings.payments;
  return () => {
    for (const row of rows)
      lastDay.set(Number(row.count), { dialect: row.dialect, state: row.state });
    for (const dialect of DIALECTS) {
      fees.set(0, { dialect });
      feesUndone.set(0, { dialect });
    }
    for (const { name, label: dialect, amount } of totals) {
      const usdc = Number(toDecimal(amount, USDC_DECIMALS));
      if (name === 'fees') fees.set(usdc, { dialect });
      if (name === 'fees_undone') feesUndone.set(usdc, { dialect });
    }
    open.set(state.open ? 1 : 0);
    settling.set(state.open && state.notSettled === undefined ? 1 : 0);
    lone.set(loneSeconds());
  };
}

/** Figures of the books that are not differences, which `ledger_difference` shows. */
const FIGURES = {
  came_in: 'cameInRaw',
  bought: 'boughtRaw',
  refunded: 'refundedRaw',
  unused: 'unusedRaw',
  withdrawn: 'withdrawnRaw',
  costs: 'costsRaw',
  internal: 'internalRaw',
  balance: 'balanceRaw',
} as const;

/** The ledger of PAY_TO now, and its last reconciliation. Exact figures are in the books. */
export async function readLedger({ db, clock }: ServiceContext): Promise<() => void> {
  const [state, books] = await Promise.all([ledgerState(db), lastBooks(db)]);
  const now = clock.now().getTime();
  const readings = metrics().readings.ledger;
  return () => {
    const differences = sumByToken();
    for (const { token, decimals, kind, amountRaw } of state.differences)
      differences.add({ token, of: kind, amount: amountRaw, decimals });
    for (const { token, decimals, unbackedRaw } of books)
      differences.add({ token, of: 'unbacked', amount: unbackedRaw, decimals });
    for (const { token, of: kind, units } of differences.all())
      readings.difference.set(units, { token, kind });

    const figures = sumByToken();
    for (const book of books)
      for (const [figure, column] of Object.entries(FIGURES))
        figures.add({ ...book, of: figure, amount: book[column] });
    for (const { token, of: figure, units } of figures.all())
      readings.books.set(units, { token, figure });

    readings.age.set(state.ageS);
    readings.others.set(state.otherMints);
    const [first] = books;
    if (first) readings.booksAge.set(Math.max(0, now - first.madeAt.getTime()) / 1000);
  };
}

type Amount = { token: string; of: string; amount: bigint; decimals: number };

/**
 * Adds amounts up by token and figure: two mints may have one symbol, like native and wrapped SOL.
 */
function sumByToken() {
  const sums = new Map<string, Amount>();
  return {
    add: ({ token, of, amount, decimals }: Amount): void => {
      const key = `${token} ${of}`;
      const known = sums.get(key)?.amount ?? 0n;
      sums.set(key, { token, of, amount: known + amount, decimals });
    },
    all: () =>
      [...sums.values()].map(({ token, of, amount, decimals }) => ({
        token,
        of,
        units: Number(toDecimal(amount, decimals)),
      })),
  };
}

const SOL_DECIMALS = 9;
/** Balances change slowly and are read from other services. */
const BALANCES_KEPT_MS = 60_000;
const SLOTS_KEPT_MS = 10_000;

const inSol = (lamports: bigint): number => Number(toDecimal(lamports, SOL_DECIMALS));

/** SOL of our keys. */
export const readBalances = keptFor(BALANCES_KEPT_MS, async ({ rpc, env }) => {
  const [minter, feePayer] = await Promise.all([
    rpc.getBalance(env.minter.publicKey),
    rpc.getBalance(env.feePayer.publicKey),
  ]);
  const { sol } = metrics().readings.balances;
  return () => {
    sol.set(inSol(minter), { key: 'minter' });
    sol.set(inSol(feePayer), { key: 'fee_payer' });
  };
});

/** SOL of our account at the storage node. */
export const readStorage = keptFor(BALANCES_KEPT_MS, async ({ env }) => {
  const { storageUploadUrl: uploadUrl, storage } = env;
  const lamports = await storageBalance({ uploadUrl, owner: storage.publicKey });
  return () => metrics().readings.storage.balance.set(inSol(lamports));
});

/** Which nodes answer, and how far each is behind the newest of them. Nodes are numbered as in the settings. */
export const readNodes = keptFor(SLOTS_KEPT_MS, async ({ rpc }) => {
  const slots = await slotsByNode(rpc);
  const known = slots.flatMap((slot) => slot ?? []);
  const newest = known.reduce((one, other) => (other > one ? other : one), 0n);
  const { up, behind } = metrics().readings.nodes;
  return () => {
    for (const [index, slot] of slots.entries()) {
      const node = String(index + 1);
      up.set(slot === null ? 0 : 1, { node });
      if (slot !== null) behind.set(Number(newest - slot), { node });
    }
  };
});

/** How far the clocks of this machine and of the chain are from the database's, as last measured. */
export async function readClocks(): Promise<() => void> {
  const { machineMs, chainMs } = await clockSkew();
  const { skew } = metrics().readings.clocks;
  return () => {
    skew.set(machineMs / 1000, { clock: 'machine' });
    if (chainMs !== null) skew.set(chainMs / 1000, { clock: 'chain' });
  };
}

/** Totals that triggers of the database keep; see the migration `running_totals`. */
export type TotalName = 'fees' | 'fees_undone' | 'mint_cost' | 'mint_costed';

export type RunningTotal = { name: TotalName; label: string; amount: bigint };

/** All totals by name and label (dialect of a payment, kind of a mint), from a few rows. */
export async function runningTotals(db: Db): Promise<RunningTotal[]> {
  const rows = await db.$queryRaw<{ name: TotalName; label: string; amount: string }[]>`
    select name, label, sum(amount)::text as amount from running_totals group by name, label`;
  return rows.map(({ name, label, amount }) => ({ name, label, amount: BigInt(amount) }));
}
