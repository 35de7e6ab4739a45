import { readListed } from '@/server/chain/read-listed';
import { RpcUnavailable } from '@/server/chain/rpc-errors';
import { findReceiptBriefs } from '@/server/receipts/find-receipt-briefs';
import { tokenByMint } from '@/server/tokens/token-table';
import type { StatementList } from './frozen-list';
import type { StatementContext } from './statement-context';
import { NO_LABELS, partOf, type StatementRow } from './statement-row';

/**
 * The rows of a list at the values it was priced with. Its transactions are final and were read before,
 * so nothing is asked of the chain but what was not kept. Throws RpcUnavailable.
 */
export async function buildRows(
  ctx: StatementContext,
  o: { wallet: string; list: StatementList },
): Promise<StatementRow[]> {
  const { wallet, list } = o;
  const signatures = list.rows.map(({ signature }) => signature);
  const [read, receipts] = await Promise.all([
    readListed(ctx, signatures),
    findReceiptBriefs(ctx.db, signatures),
  ]);
  return list.rows.map(({ signature, usdMicros, valuation }) => {
    const reading = read.get(signature)?.reading;
    const transfer = reading?.ok ? reading.transfer : null;
    const part = transfer && partOf(transfer, wallet);
    const token = transfer && tokenByMint(transfer.mint, ctx.env.network);
    // It was a payment of this wallet when it was priced, and it is final.
    if (!transfer || !part || !token)
      throw new RpcUnavailable(`the transaction ${signature} is not read as it was before`);
    const receipt = receipts.get(signature);
    const { serviceType, transactionType, invoiceId, metadataUri } = receipt ?? NO_LABELS;
    return {
      txSignature: signature,
      slot: transfer.slot,
      blockTime: transfer.blockTime,
      ...part,
      mint: transfer.mint,
      token: token.symbol,
      dtifCode: token.dtifCode,
      decimals: transfer.decimals,
      ...{ usdMicros, valuation },
      receiptId: receipt?.id ?? null,
      labels: { serviceType, transactionType, invoiceId, metadataUri },
    };
  });
}
