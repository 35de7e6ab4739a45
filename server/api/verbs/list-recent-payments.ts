import { recentTransactions } from '@/server/chain/recent-transactions';
import { priceScanned } from '@/server/rates/read-priced';
import { findReceiptIds } from '@/server/receipts/find-receipt-ids';
import { listTokens, tokenByMint } from '@quittance/verify/tokens/token-table';
import type { RequestContext } from '../request-context';
import type { RecentPayment } from '../web-schemas';

/** The last payments that a wallet made or got in tokens that can be receipted, newest first. */
export async function listRecentPayments(
  { service }: RequestContext,
  { wallet }: { wallet: string },
): Promise<{ payments: RecentPayment[] }> {
  const { network } = service.env;
  const mints = listTokens(network).flatMap(({ mint, valuation }) =>
    mint !== null && valuation !== null ? [mint] : [],
  );
  const recent = await recentTransactions(service, { wallet, mints });
  const transfers = (await priceScanned(service, recent)).flatMap(({ reading }) =>
    reading.ok ? [reading.transfer] : [],
  );
  const receipts = await findReceiptIds(
    service.db,
    transfers.map(({ signature }) => signature),
  );
  const payments = transfers.flatMap((transfer): RecentPayment[] => {
    const token = tokenByMint(transfer.mint, network);
    const isPayer = transfer.payer === wallet;
    if (!token?.valuation || (!isPayer && transfer.seller !== wallet)) return [];
    return [
      {
        tx_signature: transfer.signature,
        role: isPayer ? 'payer' : 'seller',
        counterparty: isPayer ? transfer.seller : transfer.payer,
        amount_raw: transfer.amount.toString(),
        decimals: transfer.decimals,
        token: token.symbol,
        block_time: transfer.blockTime.toISOString(),
        receipt_id: receipts.get(transfer.signature) ?? null,
      },
    ];
  });
  return { payments };
}
