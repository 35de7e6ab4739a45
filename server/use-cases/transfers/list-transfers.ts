import { walletLegs } from '@quittance/verify/chain/transfer';
import { toJsonNumber, USDC_DECIMALS } from '@quittance/verify/money';
import { listTokens, tokenByMint } from '@quittance/verify/tokens/token-table';
import { recentTransactions } from '@/server/chain/scan-transactions';
import { scanPair } from '@/server/chain/scan-wallet';
import { addDays, dayOf, startOf } from '@/server/clock';
import { invalidEntry } from '@/server/errors';
import { type PricedTransaction, priceScanned } from '@/server/rates/price-readings';
import { findReceiptIds } from '@/server/receipts/find-receipt';
import { usdcMint } from '@/server/tokens/token-table';
import type { RecentPaymentsBody, RecentPaymentsInput } from '../web-schemas';
import type { ListTransfersBody, ListTransfersInput, TransferItem } from './schemas';
import type { Call } from '../call';

/** Longest period in days, both ends counted, and what is listed when no dates are given. */
const MOST_DAYS = 366;
/** Transactions of the wallet with fewer of them that one listing reads. */
const MOST_TRANSACTIONS = 5_000;

/** A leg between the two wallets. */
type Found = {
  signature: string;
  slot: bigint;
  blockTime: Date;
  isFinal: boolean;
  amount: bigint;
  isSent: boolean;
};

/**
 * USDC transfers between two wallets in a period of whole UTC days, newest first: every leg between
 * them, also in payments to several receivers. Throws 400 for a period that is reversed or too
 * long, and when there is more to read than one request may. Throws 503 when the chain does not
 * answer.
 */
export async function listTransfers(call: Call<ListTransfersInput>): Promise<ListTransfersBody> {
  const { input } = call;
  const { address: wallet, counterparty } = input;
  const { first, last } = choosePeriod(input, dayOf(call.service.clock.now()));
  const mint = usdcMint(call.service.env.network);
  const { transactions, complete } = await scanPair(call.service, {
    wallets: [wallet, counterparty],
    mint,
    period: { from: startOf(first), until: startOf(addDays(last, 1)) },
    limit: MOST_TRANSACTIONS,
  });
  const found = (await priceScanned(call.service, transactions))
    .flatMap((one) => between(one, { wallet, counterparty, mint }))
    .reverse();
  const receiptIds = await findReceiptIds(
    call.service.db,
    found.map(({ signature }) => signature),
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
    wallet,
    counterparty,
    period_start: first,
    period_end: last,
    complete,
    sent: side(true),
    received: side(false),
  };
}

/** The amount that one of the two gave the other in a transaction, if any. */
function between(
  { reading, isFinal }: PricedTransaction,
  o: { wallet: string; counterparty: string; mint: string },
): Found[] {
  const found = walletLegs(reading, o.wallet);
  if ('skipped' in found || !reading.movements) return [];
  const { signature, slot, blockTime } = reading.movements;
  return found.rows.flatMap(({ mint, counterparty, amount, role }) =>
    mint === o.mint && counterparty === o.counterparty
      ? [{ signature, slot, blockTime, isFinal, amount, isSent: role === 'payer' }]
      : [],
  );
}

function presentItem(found: Found, receiptIds: ReadonlyMap<string, string>): TransferItem {
  return {
    tx_signature: found.signature,
    amount: toJsonNumber(found.amount, USDC_DECIMALS),
    amount_raw: found.amount.toString(),
    block_time: found.blockTime.toISOString(),
    slot: Number(found.slot),
    status: found.isFinal ? 'settled' : 'pending',
    receipt_id: receiptIds.get(found.signature) ?? null,
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
  throw invalidEntry(field, fault);
}

/** A page of the payments that a wallet made or got in tokens that can be receipted, newest first. */
export async function listRecentPayments({
  service,
  input: { wallet, cursor },
}: Call<RecentPaymentsInput>): Promise<RecentPaymentsBody> {
  const { network } = service.env;
  const mints = listTokens(network).flatMap(({ mint, valuation }) =>
    mint !== null && valuation !== null ? [mint] : [],
  );
  const { transactions, older } = await recentTransactions(service, {
    wallet,
    mints,
    before: cursor ?? undefined,
  });
  const transfers = (await priceScanned(service, transactions)).flatMap(({ reading }) =>
    reading.ok ? [reading.transfer] : [],
  );
  const receipts = await findReceiptIds(
    service.db,
    transfers.map(({ signature }) => signature),
  );
  const payments = transfers.flatMap((transfer): RecentPaymentsBody['payments'] => {
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
        is_fee: isPayer && transfer.seller === service.env.payTo,
      },
    ];
  });
  return { payments, older };
}
