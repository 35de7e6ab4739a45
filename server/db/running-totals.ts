import type { Db } from './client';

/** Totals that triggers of the database keep; see the migration `running_totals`. */
export type TotalName = 'fees' | 'fees_undone' | 'mint_cost' | 'mint_costed';

export type RunningTotal = { name: TotalName; label: string; amount: bigint };

/** All totals by name and label (dialect of a payment, kind of a mint), from a few rows. */
export async function runningTotals(db: Db): Promise<RunningTotal[]> {
  const rows = await db.$queryRaw<{ name: TotalName; label: string; amount: string }[]>`
    select name, label, sum(amount)::text as amount from running_totals group by name, label`;
  return rows.map(({ name, label, amount }) => ({ name, label, amount: BigInt(amount) }));
}
