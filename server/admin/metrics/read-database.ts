import { countSecondNfts, countUndecided } from '@/server/admin/list-undecided';
import { UNDECIDED_KINDS } from '@/server/chain/undecided';
import type { ServiceContext } from '@/server/context';
import { runningTotals } from '@/server/db/running-totals';
import { metrics } from '@/server/metrics';
import { treeSpace } from '@/server/nft/tree-space';
import { freeMintsLeft } from '@/server/receipts/free-budget';

type Row = Record<string, string | number | bigint | null>;
const KINDS = ['receipt', 'statement'] as const;

/** Mints that are not completed, how long mints take, and what they cost. */
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
