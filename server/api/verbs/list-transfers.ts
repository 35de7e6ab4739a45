import { scanPair } from '@/server/chain/scan-pair';
import type { Transfer } from '@/server/chain/transfer';
import { ServiceError } from '@/server/errors';
import { USDC_DECIMALS, toJsonNumber } from '@/server/money';
import { addDays, dayOf, startOf } from '@/server/rates/day';
import { findReceiptIds } from '@/server/receipts/find-receipt-ids';
import { usdcMint } from '@/server/tokens/usdc-mint';
import type { ListTransfersBody, ListTransfersInput, TransferItem } from '../listing-schemas';
import type { RequestContext } from '../request-context';

/** Longest period in days, both ends counted, and what is listed when no dates are given. */
const MOST_DAYS = 366;
/** Transactions of the wallet with fewer of them that one listing reads. */
const MOST_TRANSACTIONS = 5_000;

type Found = { transfer: Transfer; amount: bigint; isSent: boolean };

/**
 * USDC transfers between two wallets in a period of whole UTC days, newest first. A receiver beside the
 * main one counts with what it received. Throws 400 for a period that is reversed or too long and when
 * there is more to read than one request may, 503 when the chain does not answer.
 */
export async function listTransfers(
  ctx: RequestContext,
  input: ListTransfersInput,
): Promise<ListTransfersBody> {
  const { address: wallet, counterparty } = input;
  const { first, last } = choosePeriod(input, dayOf(ctx.service.clock.now()));
  const mint = usdcMint(ctx.service.env.network);
  const { transactions, complete } = await scanPair(ctx.service, {
    wallets: [wallet, counterparty],
    mint,
    period: { from: startOf(first), until: startOf(addDays(last, 1)) },
    limit: MOST_TRANSACTIONS,
  });
  const found = transactions
    .flatMap(({ reading }) =>
      reading.ok && reading.transfer.mint === mint
        ? between(reading.transfer, wallet, counterparty)
        : [],
    )
    .reverse();
  const receiptIds = await findReceiptIds(
    ctx.service.db,
    found.map(({ transfer }) => transfer.signature),
  );
  const side = (isSent: boolean) => {
    const own = found.filter((one) => one.isSent === isSent);
    const total = own.reduce((sum, { amount }) => sum + amount, 0n);
    return {
      count: own.length,
      total_usdc: toJsonNumber(total, USDC_DECIMALS),
      total_usdc_raw: total.toString(),
      transfers: own.map((one) => presentItem(one, receiptIds)),
    };
  };
  return {
    success: true,
    ...{ wallet, counterparty, period_start: first, period_end: last, complete },
    ...{ sent: side(true), received: side(false) },
  };
}

/** What one of the two gave the other in a transfer, if anything. */
function between(transfer: Transfer, wallet: string, counterparty: string): Found[] {
  const { payer, seller } = transfer;
  if (payer !== wallet && payer !== counterparty) return [];
  const receiver = payer === wallet ? counterparty : wallet;
  const amount =
    seller === receiver
      ? transfer.amount
      : transfer.otherLegs.find(({ owner }) => owner === receiver)?.amount;
  return amount === undefined ? [] : [{ transfer, amount, isSent: payer === wallet }];
}

function presentItem(
  { transfer, amount }: Found,
  receiptIds: ReadonlyMap<string, string>,
): TransferItem {
  return {
    tx_signature: transfer.signature,
    amount: toJsonNumber(amount, USDC_DECIMALS),
    amount_raw: amount.toString(),
    block_time: transfer.blockTime.toISOString(),
    slot: Number(transfer.slot),
    status: transfer.finality === 'finalized' ? 'settled' : 'pending',
    receipt_id: receiptIds.get(transfer.signature) ?? null,
  };
}

/** First and last day: those asked for, else up to today, else as far back as may be. */
function choosePeriod(
  input: Pick<ListTransfersInput, 'period_start' | 'period_end'>,
  today: string,
): { first: string; last: string } {
  const last = input.period_end ?? today;
  const first = input.period_start ?? addDays(last, 1 - MOST_DAYS);
  const fault =
    first > last
      ? `the period is reversed: it begins on ${first} and ends on ${last}`
      : addDays(first, MOST_DAYS - 1) < last
        ? `the period from ${first} to ${last} is longer than ${MOST_DAYS} days`
        : null;
  if (fault === null) return { first, last };
  const field = input.period_start === undefined ? 'period_end' : 'period_start';
  throw new ServiceError('invalid_request', `Invalid request: ${field}: ${fault}`, {
    details: { [field]: fault },
  });
}
