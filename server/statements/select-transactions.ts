import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { statedLegs } from '@quittance/verify/statements/select-legs';
import { listTokens } from '@quittance/verify/tokens/token-table';
import { inChainOrder } from '@/server/chain/chain-order';
import { readListed, type ScannedTransaction } from '@/server/chain/scan-transactions';
import { scanWallet } from '@/server/chain/scan-wallet';
import { type ErrorCode, ServiceError } from '@/server/errors';
import { type PricedTransaction, priceScanned } from '@/server/rates/price-readings';
import type { Skipped, StatementList, StatementPeriod } from './frozen-list';
import { type Selected, selectLegs, type StatementContext } from './select-legs';

/**
 * Every leg of the payments that a request lists, each payment once. Throws 400 naming the first
 * that is not a payment of the wallet in a token that can be valued. Throws 503 while one is not
 * final yet.
 */
export async function selectListed(
  ctx: StatementContext,
  o: { wallet: string; signatures: readonly string[] },
): Promise<StatementList> {
  const { wallet } = o;
  const signatures = [...new Set(o.signatures)];
  if (signatures.length === 0)
    throw new ServiceError('nothing_to_state', 'The list of transactions is empty.');
  if (signatures.length > MOST_ROWS)
    throw new ServiceError(
      'too_many_transactions',
      `The list has ${signatures.length} transactions, and a statement has at most ${MOST_ROWS} rows.`,
      { details: { limit: MOST_ROWS } },
    );
  const read = await readListed(ctx, signatures);
  const transactions = await priceScanned(
    ctx,
    signatures.map((signature) => {
      const one = read.get(signature);
      if (!one) throw new RpcUnavailable(`${signature} was not read`);
      return one;
    }),
  );
  for (const one of transactions) requirePayment(one, wallet);
  const { rows, skipped, changes } = await selectLegs(ctx, {
    wallet,
    // Transactions that are not final are valued too, so that a list that can never be stated is a 400.
    transactions: (await inChainOrder(ctx.rpc, transactions)).map((one) => ({
      ...one,
      isFinal: true,
    })),
    minMicros: 0n,
  }).then((selected) => requireValues(selected, signatures));
  if (rows.length > MOST_ROWS)
    throw new ServiceError(
      'too_many_transactions',
      `The list has ${rows.length} legs of payments, and a statement has at most ${MOST_ROWS} rows.`,
      { details: { limit: MOST_ROWS } },
    );
  const notFinal = transactions.find(({ isFinal }) => !isFinal)?.signature;
  if (notFinal !== undefined)
    throw new ServiceError(
      'transaction_not_final',
      `The transaction ${notFinal} is not final yet, and a statement lists final ones only. Send the same request again in a few seconds.`,
      { details: { tx_signature: notFinal } },
    );
  return { mode: 'list', period: null, minMicros: null, complete: true, rows, skipped, changes };
}

function requirePayment(one: PricedTransaction, wallet: string): void {
  const stated = statedLegs(one, wallet);
  if ('code' in stated) throw refused(stated.code, one.signature, stated.detail);
}

/** A listed transaction has at least one row; a further leg that cannot be valued is skipped and named. */
function requireValues(selected: Selected, signatures: readonly string[]): Selected {
  const stated = new Set(selected.rows.map(({ signature }) => signature));
  const missing = signatures.find((signature) => !stated.has(signature));
  const why = selected.unvalued.find(({ signature }) => signature === missing);
  if (why) throw refused(why.code, why.signature, why.detail);
  return selected;
}

function refused(code: ErrorCode, signature: string, detail: string): ServiceError {
  return new ServiceError(code, `Transaction verification failed: ${signature}: ${detail}`, {
    details: { tx_signature: signature },
  });
}

/** Most rows of a statement, and most transactions that a scan reads. */
const MOST_ROWS = 5_000;
const MOST_LOOKED_AT = 20_000;

/**
 * Every leg of a wallet in the final payments of a period, in tokens that can be valued and worth
 * at least `minMicros`. Everything else is listed by reason with its signatures. Throws 503 for a
 * transaction that cannot be read, because nothing may be left out silently. Throws 400 when
 * nothing is left or there is too much.
 */
export async function selectScanned(
  ctx: StatementContext,
  o: { wallet: string; period: StatementPeriod; minMicros: bigint },
): Promise<StatementList> {
  const { wallet, period, minMicros } = o;
  const mints = listTokens(ctx.env.network).flatMap(({ mint, valuation }) =>
    mint !== null && valuation !== null ? [mint] : [],
  );
  const { transactions: scanned, complete } = await scanWallet(ctx, {
    wallet,
    mints,
    period,
    limit: MOST_LOOKED_AT,
  });
  const transactions = await priceScanned(ctx, scanned);
  for (const one of transactions) requireReadable(one);
  const { rows, skipped, changes } = await selectLegs(ctx, {
    wallet,
    transactions,
    minMicros,
  });
  const list = { mode: 'scan' as const, period, minMicros, complete, rows, skipped, changes };
  return requireRows(list, wallet);
}

function requireReadable({ reading, signature }: ScannedTransaction): void {
  if (reading.ok || reading.code !== 'unreadable_transaction') return;
  throw new ServiceError(
    'scan_incomplete',
    `The transaction ${signature} is in the period and cannot be read: ${reading.detail}. Ask for a period without it, or list the transactions instead.`,
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
      `No payment of ${wallet} in this period can be in a statement.`,
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
