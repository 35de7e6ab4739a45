import { byAge } from '@/server/chain/read-history';
import { readListed } from '@/server/chain/read-listed';
import { RpcUnavailable } from '@/server/chain/rpc-errors';
import type { ScannedTransaction } from '@/server/chain/scan-transactions';
import { ServiceError, type ErrorCode } from '@/server/errors';
import type { ListedValue, StatementList } from './frozen-list';
import { MOST_ROWS } from './select-scanned';
import type { StatementContext } from './statement-context';
import { partOf } from './statement-row';
import { valueParts, type PartOfTransfer } from './value-parts';

/**
 * The payments that a request lists, each once. Throws 400 naming the first that is no payment of the
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
  const parts: PartOfTransfer[] = [];
  let notFinal: string | null = null;
  for (const signature of signatures) {
    const one = read.get(signature);
    if (!one) throw new RpcUnavailable(`${signature} was not read`);
    parts.push(requirePart(one, wallet));
    if (!one.isFinal) notFinal ??= signature;
  }
  parts.sort((a, b) => byAge(a.transfer, b.transfer));
  const rows: ListedValue[] = [];
  for (const one of await valueParts(ctx, parts)) {
    if ('code' in one) throw refused(one.code, one.signature, one.detail);
    rows.push(one);
  }
  if (notFinal !== null)
    throw new ServiceError(
      'transaction_not_final',
      `The transaction ${notFinal} is not final yet, and a statement lists final ones only. Send the same request again in some seconds.`,
      { details: { tx_signature: notFinal } },
    );
  return { mode: 'list', period: null, complete: true, rows, skipped: {} };
}

function requirePart(one: ScannedTransaction, wallet: string): PartOfTransfer {
  const { reading, signature } = one;
  if (!reading.ok) throw refused(reading.code, signature, reading.detail);
  const { transfer } = reading;
  const part = partOf(transfer, wallet);
  if (part) return { transfer, part };
  throw refused('wallet_not_involved', signature, `it is no payment to or from ${wallet}`);
}

function refused(code: ErrorCode, signature: string, detail: string): ServiceError {
  return new ServiceError(code, `Transaction verification failed: ${signature}: ${detail}`, {
    details: { tx_signature: signature },
  });
}
