import type { Payment, Prisma, Quote } from '@/generated/prisma/client';
import { readTransferOnce } from '@/server/chain/stored-reading';
import type { Db } from '@/server/db/client';
import type { PaymentClaim } from '@/server/payments/claim-payment';
import type { QuoteTerms, RequestKey } from '@/server/payments/quotes';
import type { Call, ProvenWallet } from '../call';

/** The current price of a request, and what the request gets for it. */
export type Offered = {
  /** In micro-USDC. */
  priceMicros: bigint;
  /** The inputs of the price, kept with the quote. */
  frozen: Prisma.InputJsonObject;
  /**
   * Hex sha256 of the offer, if different offers may have the same price: a quote is reused only
   * for the same offer. Null where the price alone defines the offer.
   */
  digest: string | null;
  /** One line for wallets. */
  description: string;
  /** First sentence of the 402's message, for the price of a quote. */
  fee(priceMicros: bigint): string;
  /** Fields of the route in the 402. */
  fields: Record<string, unknown>;
};

/**
 * Functions of a priced route for one request, so that the same code takes the money for all
 * routes.
 */
export type Purchase<Reserved> = {
  key: RequestKey;
  /** Looks up the current offer. Called only when an answer needs it. Throws refusals. */
  offered(): Promise<Offered>;
  /** Transaction of the receipt, with the wallets that may pay for it; null for a statement. */
  transaction: { signature: string; payer: string; seller: string } | null;
  wallet: string | null;
  caller: ProvenWallet | null;
  /** Text a wallet signs for this request. */
  proofText: string;
  /** Transactions that cannot be its payment: those that are minted or listed. */
  excludes: readonly string[];
  /** Whether a quote of this request pays for a transaction (null: the current offer). */
  contains(quoteId: string | null, txSignature: string): Promise<boolean>;
  /** How many quotes of this path one client address may have open; null for any number. */
  mostOpenQuotes: number | null;
  /** How a payment without memo counts: only for a proven wallet, or also for the only open request. */
  bare: 'proven_only' | 'only_request_of_wallet';
  /** Throws the 403 for a wallet that may not pay for this request. */
  mayPay(payer: string): void;
  /** Whether somebody else has bought the purchase of another request's quote. */
  isGone(quote: QuoteTerms): Promise<boolean>;
  /**
   * Reserves the purchase, in the transaction of the claim and for as long as the claim. `busy`:
   * someone else works on it; `done`: it was bought meanwhile.
   */
  reserve(
    tx: Db,
    o: { holder: string; leaseMs: number; quoteId: string | null },
  ): Promise<Reservation<Reserved>>;
  /** Keeps the reservation while a payment may still land. False when it went to another. */
  keepReserved(tx: Db, holder: string): Promise<boolean>;
  /** Releases the reservation. */
  unreserve(reserved: Reserved): Promise<void>;
};

export type Reservation<Reserved> = { reserved: Reserved } | 'busy' | 'done';

export type Taken<Reserved> =
  /** Claimed and confirmed on chain; the purchase is reserved. */
  | {
      state: 'paid';
      claim: PaymentClaim;
      reserved: Reserved;
      signature: string;
      payer: string;
      /** Null for a payment that had bought nothing. */
      quote: QuoteTerms | null;
      /** Whether this request brought the payer's signature before anybody could see it on chain. */
      isSignedByPayer: boolean;
    }
  /** The payment bought this request before. */
  | { state: 'answered'; payment: Payment }
  /** The thing to buy exists already; with the quote of the request. */
  | { state: 'done'; quoteId: string | null };

/**
 * Wallets that may pay a quote: both parties of the transaction of the receipt, or the
 * wallet of a statement. For a quote without recorded parties, the transaction is read again. Throws
 * RpcUnavailable.
 */
export async function payersOf(
  { service }: Pick<Call, 'service'>,
  quote: Pick<Quote, 'txSignature' | 'txPayer' | 'txSeller' | 'wallet'>,
): Promise<string[]> {
  const { txSignature, txPayer, txSeller, wallet } = quote;
  if (txSignature === null) return wallet === null ? [] : [wallet];
  if (txPayer !== null && txSeller !== null) return [txPayer, txSeller];
  const reading = await readTransferOnce(service, txSignature);
  return reading.ok ? [reading.transfer.payer, reading.transfer.seller] : [];
}
