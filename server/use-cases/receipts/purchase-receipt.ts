import { z } from 'zod';
import { USDC_DECIMALS, toDecimal, toJsonNumber } from '@quittance/verify/money';
import type { Db } from '@/server/db/client';
import type { QuoteTerms, RequestKey } from '@/server/payments/quotes';
import { findReceiptOfTransaction } from '@/server/receipts/find-receipt';
import {
  prolongReservation,
  releaseReservation,
  reserveTransaction,
  type ReservedTransaction,
} from '@/server/receipts/reserve-transaction';
import type { ValuedTransfer } from '@/server/receipts/value-transfer';
import { roleInTransfer } from '../prove-wallet';
import type { Purchase } from '../payments/purchase';
import type { Call, ProvenWallet } from '../call';

/** The value that a quote was priced with, as stored with it. */
export const frozenValue = z
  .object({
    usd_micros: z.string().regex(/^\d+$/),
    valuation: z.enum(['par', 'fx', 'market']),
    valuation_source: z.string().nullable(),
  })
  .transform((stored) => ({
    usdMicros: BigInt(stored.usd_micros),
    valuation: stored.valuation,
    valuationSource: stored.valuation_source,
  }));

/** A receipt as something to be paid for. */
export function purchaseReceipt(
  call: Call,
  o: {
    key: RequestKey;
    caller: ProvenWallet | null;
    proofText: string;
    valued: ValuedTransfer;
    priceMicros: bigint;
  },
): Purchase<ReservedTransaction> {
  const { db, clock } = call.service;
  const { valued } = o;
  const { transfer, token } = valued;
  const txSignature = transfer.signature;
  return {
    key: o.key,
    offered: () =>
      Promise.resolve({
        priceMicros: o.priceMicros,
        frozen: {
          usd_micros: valued.usdMicros.toString(),
          valuation: valued.valuation,
          valuation_source: valued.valuationSource,
        } satisfies z.input<typeof frozenValue>,
        digest: null,
        description: `Receipt of a payment of ${toDecimal(transfer.amount, transfer.decimals)} ${token.symbol}`,
        fee: (price) =>
          `A fee of ${toDecimal(price, USDC_DECIMALS)} USDC is due for this receipt: 0.1 % of the value, at least 0.10 and at most 5 USDC.`,
        fields: {
          free_tier: 'Transactions under 1 USD need no fee.',
          transaction_amount: toJsonNumber(transfer.amount, transfer.decimals),
        },
      }),
    transaction: { signature: txSignature, payer: transfer.payer, seller: transfer.seller },
    wallet: o.caller,
    caller: o.caller,
    proofText: o.proofText,
    excludes: [txSignature],
    contains: () => Promise.resolve(false),
    mostOpenQuotes: null,
    bare: 'proven_only',
    mayPay: (payer) => {
      roleInTransfer(payer, transfer);
    },
    isGone: (quote) => isReceipted(db, quote),
    reserve: async (tx, { holder, leaseMs }) => {
      const now = clock.now();
      const reserved = await reserveTransaction(tx, { txSignature, holder, now, leaseMs });
      if (!reserved) return 'busy';
      return (await findReceiptOfTransaction(tx, txSignature)) ? 'done' : { reserved };
    },
    keepReserved: (tx, holder) =>
      prolongReservation(tx, holder, new Date(clock.now().getTime() + KEEP_MS)),
    unreserve: async (reserved) => {
      await releaseReservation(db, reserved);
    },
  };
}

/** Whether the receipt that a quote was for exists by now. */
export async function isReceipted(db: Db, quote: QuoteTerms): Promise<boolean> {
  const { txSignature } = quote;
  return txSignature !== null && (await findReceiptOfTransaction(db, txSignature)) !== null;
}

/** A sent payment lands or expires within the life of a blockhash, 60 to 90 s; the sweep prolongs it. */
export const KEEP_MS = 180_000;
