import { inChainOrder } from '@/server/chain/chain-order';
import { readListed } from '@/server/chain/read-listed';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { ServiceError, type ErrorCode } from '@/server/errors';
import { priceScanned, type PricedTransaction } from '@/server/rates/read-priced';
import type { StatementList } from './frozen-list';
import { selectLegs, type Selected } from './select-legs';
import { MOST_ROWS } from './select-scanned';
import { statedLegs } from '@quittance/verify/statements/stated-legs';
import type { StatementContext } from './statement-context';

/**
 * Every leg of the payments that a request lists, each payment once. Throws 400 naming the first that is no payment of the
 * wallet in a token that can be valued, and 503 while one is not final yet.
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
    // What is not final yet is valued all the same, so that a list that can never be stated is a 400.
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
      `The transaction ${notFinal} is not final yet, and a statement lists final ones only. Send the same request again in some seconds.`,
      { details: { tx_signature: notFinal } },
    );
  return { mode: 'list', period: null, complete: true, rows, skipped, changes };
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
