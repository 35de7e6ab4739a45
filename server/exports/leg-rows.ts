import { assetOf } from '@quittance/verify/chain/programs';
import type { Network } from '@/server/env';
import { convert, type Fraction, fractionOf, ONE, USD_DECIMALS } from '@quittance/verify/money';
import type { ReceiptLeg } from '@quittance/verify/receipts/receipt-beside';
import type { ListedReceipt, PlainRow } from '@/server/receipts/receipt-codec';
import { tokenByMint } from '@quittance/verify/tokens/token-table';

/** The wallet whose rows are made, and how their tokens and values are known. */
type View = {
  wallet: string;
  network: Network;
  /** Asked for the receipt's token on its day. */
  priceOf: PriceOf;
};

/**
 * A receipt as rows of a wallet: its transfer comes first, if the wallet is payer or seller, then the
 * further legs of the wallet.
 */
export function receiptRows(receipt: ListedReceipt, view: View): PlainRow[] {
  const isOwn = view.wallet === receipt.payer || view.wallet === receipt.seller;
  return [...(isOwn ? [receipt] : []), ...furtherRows(receipt, view)];
}

/** The further legs of a receipt that belong to a wallet. */
export function furtherRows(receipt: ListedReceipt, view: View): PlainRow[] {
  const { otherLegs: legs, prices } = receipt;
  return legRows<PlainRow>({ row: receipt, legs, prices, ...view });
}

/**
 * The further legs of a receipt that belong to a wallet. The payer has all of them, anyone else has
 * the legs that they got. Each is a row with the id and labels of the receipt, and its own receiver
 * as the seller.
 */
export function legRows<T extends PlainRow>(o: {
  /** The row of the receipt's transfer. */
  row: T;
  legs: readonly ReceiptLeg[];
  /** Prices that were frozen with the transaction. */
  prices: ListedReceipt['prices'];
  /** Asked for the receipt's token on its day. */
  priceOf: PriceOf;
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

/** The exact price of a row's token on its day; null if not available. */
export type PriceOf = (row: { mint: string | null; blockTime: Date }) => Fraction | null;

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

/**
 * At par or at the price frozen with the receipt. In the token of the receipt, wrapped or not: at the price that
 * gives the value of the receipt, else at that value per unit.
 */
function valueOf(
  leg: ReceiptLeg,
  o: {
    row: PlainRow;
    prices: ListedReceipt['prices'];
    priceOf: PriceOf;
    network: Network;
  },
): bigint | null {
  const { row } = o;
  const isOwn = leg.mint === undefined;
  const mint = isOwn ? row.mint : (leg.mint ?? null);
  const decimals = isOwn ? row.decimals : (leg.decimals ?? 0);
  const asset = assetOf(mint);
  const at = (price: Fraction) =>
    convert({ amount: leg.amount, decimals, price, toDecimals: USD_DECIMALS });
  const isPar = tokenByMint(mint, o.network)?.valuation === 'par';
  const frozen = o.prices?.find((one) => assetOf(one.mint) === asset)?.usd_per_unit;
  const known = isPar ? ONE : fractionOf(frozen ?? '');
  if (asset !== assetOf(row.mint)) return known && at(known);
  const { amountRaw, usdMicros } = row;
  if (usdMicros === null) return null;
  const exact = [o.priceOf(row), known].find((price) => price && isPriceOf(row, price));
  if (exact) return at(exact);
  return (2n * usdMicros * leg.amount + amountRaw) / (2n * amountRaw);
}

/** Whether a price gives the value that the receipt has on record. */
function isPriceOf({ amountRaw, decimals, usdMicros }: PlainRow, price: Fraction): boolean {
  return convert({ amount: amountRaw, decimals, price, toDecimals: USD_DECIMALS }) === usdMicros;
}
