import type { z } from 'zod';
import type { Network } from '@/server/env';
import { USD_DECIMALS, rescale } from '@/server/money';
import { convert, fractionOf } from '@/server/rates/fraction';
import type { ReceiptLeg, storedBeside } from '@/server/receipts/receipt-beside';
import type { TransferRow } from '@/server/receipts/transfer-row';
import { tokenByMint } from '@/server/tokens/token-table';

/** A row before it is seen from one wallet and valued in a currency. */
export type PlainRow = Omit<TransferRow, 'direction' | 'counterparty' | 'local'>;

type StoredPrices = z.infer<typeof storedBeside>['prices'];

/**
 * The further legs of a receipt that are of a wallet: all of them for the payer, for anyone else what it got
 * itself. Each is a row with the id and labels of the receipt, and its own receiver as the seller.
 */
export function legRows<T extends PlainRow>(o: {
  /** What the receipt is about. */
  row: T;
  legs: readonly ReceiptLeg[];
  /** Prices that were frozen with the transaction. */
  prices: StoredPrices | null;
  wallet: string;
  network: Network;
}): T[] {
  const { row, wallet } = o;
  return o.legs
    .filter(({ owner }) => wallet === row.payer || wallet === owner)
    .map((leg) => {
      const { owner: seller, amount } = leg;
      const amountSent = leg.amountSent ?? amount;
      return {
        ...row,
        ...(leg.mint === undefined ? {} : tokenOf(leg, o.network)),
        seller,
        amountRaw: amount,
        amountSentRaw: amountSent,
        feeWithheldRaw: amountSent - amount,
        usdMicros: valueOf(leg, o),
      };
    });
}

function tokenOf({ mint = null, decimals = 0 }: ReceiptLeg, network: Network) {
  const token = tokenByMint(mint, network);
  const valuation = token?.valuation ?? null;
  return {
    mint,
    decimals,
    token: token?.symbol ?? mint ?? 'SOL',
    dtifCode: token?.dtifCode ?? null,
    valuation: valuation === null ? '' : typeof valuation === 'string' ? valuation : 'fx',
  };
}

/** In the token of the receipt at its own value per unit, else at par or at the price frozen with it. */
function valueOf(
  leg: ReceiptLeg,
  o: { row: PlainRow; prices: StoredPrices | null; network: Network },
): bigint | null {
  const { amountRaw, usdMicros } = o.row;
  const { amount, mint, decimals = 0 } = leg;
  if (mint === undefined)
    return usdMicros === null ? null : (2n * usdMicros * amount + amountRaw) / (2n * amountRaw);
  if (tokenByMint(mint, o.network)?.valuation === 'par')
    return rescale(amount, decimals, USD_DECIMALS);
  const price = fractionOf(o.prices?.find((one) => one.mint === mint)?.usd_per_unit ?? '');
  return price && convert({ amount, decimals, price, toDecimals: USD_DECIMALS });
}
