import { z } from 'zod';
import { USDC_DECIMALS, toDecimal, toJsonNumber } from '@/server/money';
import type { RequestKey } from '@/server/payments/request-key';
import { findReceiptOfTransaction } from '@/server/receipts/find-receipt';
import {
  prolongReservation,
  releaseReservation,
  reserveTransaction,
  type ReservedTransaction,
} from '@/server/receipts/reserve-transaction';
import type { ValuedTransfer } from '@/server/receipts/value-transfer';
import { roleOf } from '../guards/participant';
import type { ProvenWallet } from '../guards/wallet-proof';
import type { Purchase } from '../payment/purchase';
import type { RequestContext } from '../request-context';

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
  ctx: RequestContext,
  o: {
    key: RequestKey;
    caller: ProvenWallet | null;
    proofText: string;
    valued: ValuedTransfer;
    priceMicros: bigint;
  },
): Purchase<ReservedTransaction> {
  const { db, clock } = ctx.service;
  const { valued } = o;
  const { transfer, token } = valued;
  const txSignature = transfer.signature;
  return {
    key: o.key,
    priceMicros: o.priceMicros,
    frozen: {
      usd_micros: valued.usdMicros.toString(),
      valuation: valued.valuation,
      valuation_source: valued.valuationSource,
    } satisfies z.input<typeof frozenValue>,
    txSignature,
    wallet: o.caller,
    caller: o.caller,
    proofText: o.proofText,
    excludes: [txSignature],
    description: `Receipt of a payment of ${toDecimal(transfer.amount, transfer.decimals)} ${token.symbol}`,
    fee: (quote) =>
      `A fee of ${toDecimal(quote.priceMicros, USDC_DECIMALS)} USDC is due for this receipt: 0.1 % of the value, at least 0.10 and at most 5 USDC.`,
    fields: () => ({
      free_tier: 'Transactions under 1 USD need no fee.',
      transaction_amount: toJsonNumber(transfer.amount, transfer.decimals),
    }),
    mayPay: (payer) => {
      roleOf(payer, transfer);
    },
    isGone: async (quote) =>
      quote.txSignature !== null &&
      (await findReceiptOfTransaction(db, quote.txSignature)) !== null,
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

/** A sent payment lands or expires within the life of a blockhash, 60 to 90 s; the sweep prolongs it. */
const KEEP_MS = 180_000;
