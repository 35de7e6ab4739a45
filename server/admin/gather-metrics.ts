import { UNDECIDED_KINDS } from '@/server/chain/undecided';
import type { ServiceContext } from '@/server/context';
import { log } from '@/server/log';
import { metrics } from '@/server/metrics';
import { toDecimal } from '@/server/money';
import { treeSpace } from '@/server/nft/tree-space';
import { ledgerState } from '@/server/payments/ledger/ledger-state';
import { lastBooks } from '@/server/payments/ledger/reconcile';
import { paidRoutesState } from '@/server/payments/check-accounts';
import { clockSkew } from '@/server/payments/clock-skew';
import { freeMintsLeft } from '@/server/receipts/free-budget';
import { storageBalance } from '@/server/storage/read-storage-account';
import { countSecondNfts, countUndecided } from './list-undecided';

const SOL_DECIMALS = 9;
/** Balances change slowly and are asked of others. */
const BALANCES_KEPT_MS = 60_000;
let balancesAt = -Infinity;

type Row = Record<string, string | number | bigint | null>;

/**
 * Brings the gauges up to date with the database and the chain. Every query keeps to an index, so that a
 * million receipts cost nothing; a part that does not answer leaves its gauges as they were.
 */
export async function gatherMetrics(service: ServiceContext): Promise<void> {
  await Promise.all([
    attempt('mints', () => gatherMints(service)),
    attempt('payments', () => gatherPayments(service)),
    attempt('ledger', () => gatherLedger(service)),
    attempt('undecided', () => gatherUndecided(service)),
    attempt('space', () => gatherSpace(service)),
    attempt('balances', () => gatherBalances(service)),
    attempt('clocks', gatherClocks),
  ]);
  const { calls, troubles } = service.rpc;
  for (const [method, count] of calls) metrics().rpcCalls.set({ method }, count);
  for (const [method, count] of troubles) metrics().rpcTroubles.set({ method }, count);
}

async function gatherMints({ db, clock }: ServiceContext): Promise<void> {
  const { mints, mintAttempts, oldestPending, mintSeconds, receipts } = metrics();
  const now = clock.now();
  const [open, times, estimate] = await Promise.all([
    db.$queryRaw<Row[]>`
      select status, stage, count(*) as count, sum(attempts) as attempts, min(created_at)::text as oldest
      from mints where status in ('pending', 'failed') group by status, stage`,
    db.$queryRaw<Row[]>`
      select
        extract(epoch from percentile_cont(0.5) within group (order by completed_at - created_at))::float as p50,
        extract(epoch from percentile_cont(0.95) within group (order by completed_at - created_at))::float as p95
      from mints where status = 'completed' and created_at > ${new Date(now.getTime() - 3_600_000)}`,
    db.$queryRaw<Row[]>`select reltuples::bigint as count from pg_class where relname = 'receipts'`,
  ]);
  mints.reset();
  let attempts = 0;
  let oldest = now.getTime();
  for (const row of open) {
    mints.set({ status: String(row['status']), stage: String(row['stage']) }, Number(row['count']));
    if (row['status'] !== 'pending') continue;
    attempts += Number(row['attempts'] ?? 0);
    oldest = Math.min(oldest, Date.parse(String(row['oldest'])));
  }
  mintAttempts.set(attempts);
  oldestPending.set((now.getTime() - oldest) / 1000);
  for (const quantile of ['p50', 'p95'])
    mintSeconds.set({ quantile }, Number(times[0]?.[quantile] ?? 0));
  receipts.set(Math.max(0, Number(estimate[0]?.['count'] ?? 0)));
}

async function gatherPayments({ db, clock }: ServiceContext): Promise<void> {
  const { payments, paidOpen, settlingOpen } = metrics();
  const since = new Date(clock.now().getTime() - 86_400_000);
  const rows = await db.$queryRaw<Row[]>`
    select dialect, state, count(*) as count from payments
    where state in ('claimed', 'sent', 'settled', 'used', 'unused', 'refunded', 'failed')
      and created_at > ${since}
    group by dialect, state`;
  payments.reset();
  for (const row of rows)
    payments.set(
      { dialect: String(row['dialect']), state: String(row['state']) },
      Number(row['count']),
    );
  const state = await paidRoutesState();
  paidOpen.set(state.open ? 1 : 0);
  settlingOpen.set(state.open && state.notSettled === undefined ? 1 : 0);
}

/** Whole units: alerts ask whether a figure is zero, and the exact one is in the books. */
async function gatherLedger({ db }: ServiceContext): Promise<void> {
  const { ledgerDifference, ledgerAge, ledgerOthers } = metrics();
  const [state, books] = await Promise.all([ledgerState(db), lastBooks(db)]);
  ledgerDifference.reset();
  for (const { token, decimals, kind, amountRaw } of state.differences)
    ledgerDifference.set({ token, kind }, Number(toDecimal(amountRaw, decimals)));
  for (const { token, decimals, unbackedRaw } of books)
    ledgerDifference.set({ token, kind: 'unbacked' }, Number(toDecimal(unbackedRaw, decimals)));
  ledgerAge.set(state.ageS);
  ledgerOthers.set(state.otherMints);
}

async function gatherUndecided({ db }: ServiceContext): Promise<void> {
  const { undecided, secondNfts } = metrics();
  const [open, second] = await Promise.all([countUndecided(db), countSecondNfts(db)]);
  for (const kind of UNDECIDED_KINDS) undecided.set({ kind }, 0);
  for (const { kind, count } of open) undecided.set({ kind }, Number(count));
  secondNfts.set(second);
}

async function gatherSpace({ db, env, clock }: ServiceContext): Promise<void> {
  const { treeLeft, treeCapacity, freeLeft } = metrics();
  const space = await treeSpace(db, { network: env.network, minter: env.minter.publicKey });
  treeLeft.set(Number(space.left));
  treeCapacity.set(Number(space.capacity));
  const left = await freeMintsLeft(db, { limits: env.limits, now: clock.now() });
  if (left !== null) freeLeft.set(left);
}

async function gatherBalances({ rpc, env }: ServiceContext): Promise<void> {
  if (performance.now() - balancesAt < BALANCES_KEPT_MS) return;
  balancesAt = performance.now();
  const { balance } = metrics();
  const [minter, feePayer, storage] = await Promise.all([
    rpc.getBalance(env.minter.publicKey),
    rpc.getBalance(env.feePayer.publicKey),
    storageBalance({ uploadUrl: env.storageUploadUrl, owner: env.storage.publicKey }),
  ]);
  for (const [key, lamports] of Object.entries({ minter, fee_payer: feePayer, storage }))
    balance.set({ key }, Number(toDecimal(lamports, SOL_DECIMALS)));
}

async function gatherClocks(): Promise<void> {
  const { machineMs, chainMs } = await clockSkew();
  metrics().clockSkew.set({ clock: 'machine' }, machineMs / 1000);
  if (chainMs === null) metrics().clockSkew.remove({ clock: 'chain' });
  else metrics().clockSkew.set({ clock: 'chain' }, chainMs / 1000);
}

async function attempt(part: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log().warn({ event: 'metrics_part_silent', part, err: error });
  }
}
