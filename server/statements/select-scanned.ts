import { scanWallet } from '@/server/chain/scan-wallet';
import type { ScannedTransaction } from '@/server/chain/scan-transactions';
import { ServiceError } from '@/server/errors';
import { priceScanned } from '@/server/rates/read-priced';
import { listTokens } from '@quittance/verify/tokens/token-table';
import type { StatementPeriod } from './choose-period';
import type { Skipped, StatementList } from './frozen-list';
import { selectLegs } from './select-legs';
import type { StatementContext } from './statement-context';

/** Most rows of a statement, and most transactions that a scan looks at. */
export const MOST_ROWS = 5_000;
const MOST_LOOKED_AT = 20_000;

/**
 * Every leg of a wallet in the final payments of a period in tokens that can be valued, worth at least
 * `minMicros`; the signatures of everything else by reason. Throws 503 for a transaction that cannot be read, as
 * nothing may be left out in silence, and 400 when nothing is left or there is too much.
 */
export async function selectScanned(
  ctx: StatementContext,
  o: { wallet: string; period: StatementPeriod; minMicros: bigint },
): Promise<StatementList> {
  const { wallet, period } = o;
  const mints = listTokens(ctx.env.network).flatMap(({ mint, valuation }) =>
    mint !== null && valuation !== null ? [mint] : [],
  );
  const { transactions: scanned, complete } = await scanWallet(ctx, {
    ...{ wallet, mints, period },
    limit: MOST_LOOKED_AT,
  });
  const transactions = await priceScanned(ctx, scanned);
  for (const one of transactions) requireReadable(one);
  const { rows, skipped, changes } = await selectLegs(ctx, {
    ...{ wallet, transactions, minMicros: o.minMicros },
  });
  const list: StatementList = { mode: 'scan', period, complete, rows, skipped, changes };
  return requireRows(list, wallet);
}

function requireReadable({ reading, signature }: ScannedTransaction): void {
  if (reading.ok || reading.code !== 'unreadable_transaction') return;
  throw new ServiceError(
    'scan_incomplete',
    `The transaction ${signature} is in the period and cannot be read: ${reading.detail}. Ask for a period without it, or name the transactions to state.`,
    { details: { tx_signature: signature } },
  );
}

/** How many transactions were left out for each reason. */
export function countSkipped(skipped: Skipped): Record<string, number> {
  return Object.fromEntries(
    Object.entries(skipped).map(([reason, signatures]) => [reason, signatures.length]),
  );
}

function requireRows(list: StatementList, wallet: string): StatementList {
  const { rows, skipped } = list;
  if (rows.length === 0)
    throw new ServiceError(
      'nothing_to_state',
      `No payment of ${wallet} in this period can be stated.`,
      { details: { skipped: countSkipped(skipped) } },
    );
  if (rows.length > MOST_ROWS)
    throw new ServiceError(
      'too_many_transactions',
      `${wallet} has ${rows.length} payments in the period, and a statement has at most ${MOST_ROWS} rows. Ask for a shorter period.`,
      { details: { limit: MOST_ROWS } },
    );
  return list;
}
