import type { Movements } from '@quittance/verify/chain/movements';
import type { Transfer, TransferReading } from '@quittance/verify/chain/transfer';
import type { ServiceContext } from '@/server/context';
import { ServiceError } from '@/server/errors';
import { convert, type Fraction, LARGEST_AMOUNT, USD_DECIMALS } from '@quittance/verify/money';
import { dayOf } from '@/server/clock';
import { priceToken, type RatesContext, type TokenPrice } from '@/server/rates/find-rate';
import { readPricedOnce } from '@/server/rates/price-readings';
import { tokenByMint, type TokenEntry } from '@quittance/verify/tokens/token-table';

/** A transfer of a token that can be valued, with its value. */
export type ValuedTransfer = {
  transfer: Transfer;
  token: TokenEntry;
  /** Value in micro-USD, rounded once, half up. */
  usdMicros: bigint;
  valuation: 'par' | 'fx' | 'market';
  /** Source, price and day behind the value; null at par. */
  valuationSource: string | null;
  /** US dollars for one unit, exact. */
  usdPerUnit: Fraction;
  /** Whether the price of that day may still change. */
  isProvisional: boolean;
};

/**
 * Reads a transaction and values the amount that the seller received. Throws a 400 `Transaction
 * verification failed: …` when it is not a payment in a supported token, and `RpcUnavailable` when
 * no node answers. Throws `rates_unavailable` or `rate_not_covered` when there is no price.
 */
export async function readValuedTransfer(
  service: RatesContext & Pick<ServiceContext, 'rpc' | 'clock'>,
  input: { signature: string },
): Promise<ValuedTransfer> {
  return valueTransfer(service, verified(await readPricedOnce(service, input.signature)));
}

/** The transfer of a reading, or the 400 that says why there is none, and what moved instead. */
export function verified(reading: TransferReading): Transfer {
  if (reading.ok) return reading.transfer;
  const { code, detail, movements } = reading;
  throw new ServiceError(code, `Transaction verification failed: ${detail}`, {
    details: movements ? { legs: tellLegs(movements), left_out: tellLeftOut(movements) } : {},
  });
}

/** Legs named one by one in an error; a transaction of ordinary size has no more. */
const MOST_TOLD = 64;

function tellLegs({ legs }: Movements) {
  return legs.slice(0, MOST_TOLD).map(({ owner, kind, direction, mint, decimals, amount }) => ({
    owner,
    kind,
    direction,
    mint,
    decimals,
    amount_raw: amount.toString(),
  }));
}

function tellLeftOut({ leftOut }: Movements) {
  return leftOut.slice(0, MOST_TOLD).map(({ amount, ...one }) => ({
    ...one,
    amount_raw: amount.toString(),
  }));
}

/** Values a transfer; throws `unsupported_token` naming the mint when that can't be done. */
export async function valueTransfer(
  service: RatesContext,
  transfer: Transfer,
): Promise<ValuedTransfer> {
  const token = tokenByMint(transfer.mint, service.env.network);
  const day = dayOf(transfer.blockTime);
  const price = token && (await priceToken(service, { token, day }));
  if (!token || !price)
    throw new ServiceError(
      'unsupported_token',
      `Transaction verification failed: the token ${token?.symbol ?? 'of this transaction'} with mint ${transfer.mint ?? 'native SOL'} cannot be valued by this service.`,
      { details: { mint: transfer.mint } },
    );
  if (!fitsDatabase(transfer))
    throw new ServiceError(
      'unreadable_transaction',
      'Transaction verification failed: the amount is larger than any supply of a supported token.',
    );
  return valueAt({ transfer, token, price });
}

/** The value of a transfer at a price that is at hand. */
export function valueAt(o: {
  transfer: Transfer;
  token: TokenEntry;
  price: TokenPrice;
}): ValuedTransfer {
  const { transfer, token, price } = o;
  return {
    transfer,
    token,
    usdMicros: convert({
      amount: transfer.amount,
      decimals: transfer.decimals,
      price: price.usdPerUnit,
      toDecimals: USD_DECIMALS,
    }),
    valuation: price.basis,
    valuationSource: price.source,
    usdPerUnit: price.usdPerUnit,
    isProvisional: price.isProvisional,
  };
}

/** Whether amounts of a transfer can be kept; no supply of a supported token is larger. */
function fitsDatabase({ amount, amountSent }: Transfer): boolean {
  return amount <= LARGEST_AMOUNT && amountSent <= LARGEST_AMOUNT;
}
