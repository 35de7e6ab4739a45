import { scanWallet } from '@/server/chain/scan-wallet';
import type { ScannedTransaction } from '@/server/chain/scan-transactions';
import { ServiceError } from '@/server/errors';
import { listTokens } from '@/server/tokens/token-table';
import type { StatementPeriod } from './choose-period';
import type { ListedValue, Skipped, StatementList } from './frozen-list';
import type { StatementContext } from './statement-context';
import { partOf } from './statement-row';
import { valueParts, type PartOfTransfer } from './value-parts';

/** Most rows of a statement, and most transactions that a scan looks at. */
export const MOST_ROWS = 5_000;
const MOST_LOOKED_AT = 20_000;

/**
 * All final payments of a wallet in a period in tokens that can be valued, worth at least `minMicros`;
 * the signatures of everything else by reason. Throws 503 for a transaction that cannot be read, as
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
  const { transactions, complete } = await scanWallet(ctx, {
    ...{ wallet, mints, period },
    limit: MOST_LOOKED_AT,
  });
  const skipped = new Map<string, string[]>();
  const skip = (reason: string, signature: string): void => {
    const known = skipped.get(reason);
    if (known) known.push(signature);
    else skipped.set(reason, [signature]);
  };
  const parts: PartOfTransfer[] = [];
  for (const one of transactions) {
    const part = judge(one, wallet);
    if (typeof part === 'string') skip(part, one.signature);
    else parts.push(part);
  }
  const rows: ListedValue[] = [];
  for (const one of await valueParts(ctx, parts)) {
    if ('code' in one) skip(one.code, one.signature);
    else if (one.usdMicros < o.minMicros) skip('below_min_usd', one.signature);
    else rows.push(one);
  }
  const list: StatementList = {
    ...{ mode: 'scan', period, complete, rows },
    skipped: Object.fromEntries([...skipped].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  return requireRows(list, wallet);
}

function judge(one: ScannedTransaction, wallet: string): PartOfTransfer | string {
  const { reading, signature } = one;
  if (!reading.ok) {
    if (reading.code !== 'unreadable_transaction') return reading.code;
    throw new ServiceError(
      'scan_incomplete',
      `The transaction ${signature} is in the period and cannot be read: ${reading.detail}. Ask for a period without it, or name the transactions to state.`,
      { details: { tx_signature: signature } },
    );
  }
  if (!one.isFinal) return 'not_final';
  const { transfer } = reading;
  const part = partOf(transfer, wallet);
  return part ? { transfer, part } : 'wallet_not_involved';
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
