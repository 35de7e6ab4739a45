import { readListed } from '@/server/chain/scan-transactions';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { type TransferReading, type WalletLeg, walletLegs } from '@quittance/verify/chain/transfer';
import { priceScanned } from '@/server/rates/price-readings';
import { findListedReceipts } from '@/server/receipts/find-receipt';
import { statedLabels } from '@/server/receipts/hide-labels';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import type { StatementList } from './frozen-list';
import { mainLeg } from '@quittance/verify/statements/select-legs';
import type { StatementContext } from './select-legs';
import type { StatementRow } from '@quittance/verify/statements/statement-rows';

/**
 * The rows of a list at the values it was priced with. Its transactions are final and were read before,
 * so nothing is asked of the chain but what was not kept. Throws RpcUnavailable.
 */
export async function buildRows(
  ctx: StatementContext,
  o: { wallet: string; list: StatementList },
): Promise<StatementRow[]> {
  const { wallet, list } = o;
  const signatures = [...new Set(list.rows.map(({ signature }) => signature))];
  const [read, receipts] = await Promise.all([
    readListed(ctx, signatures),
    findListedReceipts(ctx.db, signatures),
  ]);
  const priced = await priceScanned(ctx, [...read.values()]);
  const readings = new Map(priced.map(({ signature, reading }) => [signature, reading]));
  return list.rows.map(({ signature, leg, usdMicros, valuation }) => {
    const reading = readings.get(signature);
    const part = reading && legOf(reading, { wallet, leg });
    const token = part && tokenByMint(part.mint, ctx.env.network);
    // It was a payment of this wallet when it was priced, and it is final, so it still is.
    if (!reading?.movements || !part || !token)
      throw new RpcUnavailable(`the transaction ${signature} now reads differently than before`);
    const receipt = receipts.get(signature);
    return {
      txSignature: signature,
      leg,
      slot: reading.movements.slot,
      blockTime: reading.movements.blockTime,
      role: part.role,
      counterparty: part.counterparty,
      amountRaw: part.amount,
      amountSentRaw: part.amountSent,
      feeWithheldRaw: part.feeWithheld,
      mint: part.mint,
      token: token.symbol,
      dtifCode: token.dtifCode,
      decimals: part.decimals,
      usdMicros,
      valuation,
      receiptId: receipt?.receiptId ?? null,
      labels: statedLabels(receipt),
    };
  });
}

/** The leg of a list entry: by its number, else the transfer. */
function legOf(
  reading: TransferReading,
  o: { wallet: string; leg: number | null },
): WalletLeg | null {
  const found = walletLegs(reading, o.wallet);
  if ('skipped' in found) return null;
  if (o.leg !== null) return found.rows.find(({ leg }) => leg === o.leg) ?? null;
  return reading.ok ? mainLeg(found.rows, { transfer: reading.transfer, wallet: o.wallet }) : null;
}
