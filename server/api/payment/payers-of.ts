import type { Quote } from '@/generated/prisma/client';
import { readTransferOnce } from '@/server/chain/read-transfer-once';
import type { RequestContext } from '../request-context';

/**
 * Wallets that may pay for what a quote is for: both parties of the transaction to be receipted, or the
 * wallet of a statement. A quote without parties on record has its transaction read once more. Throws
 * RpcUnavailable.
 */
export async function payersOf(
  { service }: Pick<RequestContext, 'service'>,
  quote: Pick<Quote, 'txSignature' | 'txPayer' | 'txSeller' | 'wallet'>,
): Promise<string[]> {
  const { txSignature, txPayer, txSeller, wallet } = quote;
  if (txSignature === null) return wallet === null ? [] : [wallet];
  if (txPayer !== null && txSeller !== null) return [txPayer, txSeller];
  const reading = await readTransferOnce(service, txSignature);
  return reading.ok ? [reading.transfer.payer, reading.transfer.seller] : [];
}
