import { ServiceError } from '@/server/errors';
import { USDC_DECIMALS, USD_DECIMALS, fromDecimal, toDecimal } from '@quittance/verify/money';
import { boughtByQuote } from '@/server/payments/find-payment';
import { frozenOf, type RequestKey } from '@/server/payments/quotes';
import { priceStatement } from '@/server/payments/prices';
import {
  prolongReservation,
  releaseReservation,
  reserveTransaction,
  type ReservedTransaction,
} from '@/server/receipts/reserve-transaction';
import {
  choosePeriod,
  countTransactions,
  freezeList,
  type StatementList,
  thawList,
} from '@/server/statements/frozen-list';
import { countSkipped, selectListed, selectScanned } from '@/server/statements/select-transactions';
import type { Offered, Purchase } from '../payments/purchase';
import type { StatementInput } from './schemas';
import { isReceipted, KEEP_MS } from '../receipts/purchase-receipt';
import type { Call, ProvenWallet } from '../call';

/** Payments under one cent are spam more often than business. */
const LEAST_USD = '0.01';

/** Selects the rows of a request again. Throws 400 and 503 like the selection. */
export function selectList(call: Call, input: StatementInput): Promise<StatementList> {
  const { wallet_address: wallet, transactions, period_start: start, period_end: end } = input;
  if (transactions !== undefined)
    return selectListed(call.service, { wallet, signatures: transactions });
  const period = choosePeriod({
    start: start ?? '',
    end: end ?? '',
    now: call.service.clock.now(),
  });
  const minMicros = fromDecimal(input.min_usd ?? LEAST_USD, USD_DECIMALS) ?? 0n;
  return selectScanned(call.service, { wallet, period, minMicros });
}

/** A statement as something to be paid for. */
export function purchaseStatement(
  call: Call,
  o: {
    input: StatementInput;
    key: RequestKey;
    caller: ProvenWallet | null;
    proofText: string;
    /** The current list; looked up once, when it is needed. */
    select: () => Promise<StatementList>;
  },
): Purchase<ReservedTransaction> {
  const { db, clock, env } = call.service;
  const wallet = o.input.wallet_address;
  let offered: Promise<Offered> | undefined;
  return {
    key: o.key,
    offered: () => (offered ??= o.select().then(offer)),
    transaction: null,
    wallet,
    caller: o.caller,
    proofText: o.proofText,
    excludes: o.input.transactions ?? [],
    contains: async (quoteId, txSignature) => {
      const list = quoteId === null ? await o.select() : thawList(await frozenOf(db, quoteId));
      return list.rows.some(({ signature }) => signature === txSignature);
    },
    mostOpenQuotes: env.statementQuotesPerClient,
    bare: 'only_request_of_wallet',
    mayPay: (payer) => {
      if (payer === wallet) return;
      throw new ServiceError(
        'not_a_participant',
        `The paying wallet ${payer} is not involved in this statement. The statement is for ${wallet}, which alone may pay for it.`,
        { details: { wallet: payer } },
      );
    },
    isGone: (quote) => isReceipted(db, quote),
    // One statement of a quote, however many payments come for it.
    reserve: async (tx, { holder, leaseMs, quoteId }) => {
      const reserved = await reserveTransaction(tx, {
        txSignature: `statement:${quoteId ?? o.key.requestSha256}`,
        holder,
        leaseMs,
        now: clock.now(),
      });
      if (!reserved) return 'busy';
      const bought = quoteId !== null && (await boughtByQuote(tx, quoteId)) !== null;
      return bought ? 'done' : { reserved };
    },
    keepReserved: (tx, holder) =>
      prolongReservation(tx, holder, new Date(clock.now().getTime() + KEEP_MS)),
    unreserve: async (reserved) => {
      await releaseReservation(db, reserved);
    },
  };
}

function offer(list: StatementList): Offered {
  const count = countTransactions(list.rows);
  const priceMicros = priceStatement(count);
  const frozen = freezeList(list);
  const payments = `${count} ${count === 1 ? 'transaction' : 'transactions'}`;
  return {
    priceMicros,
    frozen,
    digest: frozen.digest,
    description: `Statement of ${payments}`,
    fee: (price) =>
      `A fee of ${toDecimal(price, USDC_DECIMALS)} USDC is due for this statement of ${payments}. The price is 1 USDC for 1 to 10, 3 USDC for 11 to 50, 5 USDC for 51 and more.`,
    fields: {
      tx_count: count,
      row_count: list.rows.length,
      pricing_tier: `$${toDecimal(priceMicros, USDC_DECIMALS)}.00`,
      complete: list.complete,
      skipped_counts: countSkipped(list.skipped),
    },
  };
}
