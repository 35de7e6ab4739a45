import type { Db } from '@/server/db/client';

export type LedgerState = {
  /** `rows`: the chain holds more or less than the ledger; `unexplained`: what left without a record. */
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

/** Whether the ledger agrees with the chain, in a few reads that keep to small indexes. */
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
