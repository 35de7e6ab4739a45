import type { Payment, Prisma, Quote } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { PaymentClaim } from '@/server/payments/claim-payment';
import type { RequestKey } from '@/server/payments/request-key';
import type { ProvenWallet } from '../guards/wallet-proof';

/** What a priced route tells about a request, so that one code takes the money for all of them. */
export type Purchase<Reserved> = {
  key: RequestKey;
  /** Price now, in micro-USDC. */
  priceMicros: bigint;
  /** What the price was made from, kept with the quote. */
  frozen: Prisma.InputJsonObject;
  txSignature: string | null;
  wallet: string | null;
  caller: ProvenWallet | null;
  /** Text a wallet signs for this request. */
  proofText: string;
  /** Transactions that cannot be its payment: what is minted or listed. */
  excludes: readonly string[];
  /** One line for wallets. */
  description: string;
  /** First sentence of the 402's message. */
  fee(quote: Quote): string;
  /** Fields of the route in the 402. */
  fields(quote: Quote): Record<string, unknown>;
  /** Throws the 403 for a wallet that may not pay for this request. */
  mayPay(payer: string): void;
  /** Whether what a quote of another request was for has been bought by somebody else. */
  isGone(quote: Quote): Promise<boolean>;
  /**
   * Reserves what is bought, in the transaction of the claim and for as long as the claim. `busy`: someone
   * else is at work on it; `done`: it was bought meanwhile.
   */
  reserve(tx: Db, o: { holder: string; leaseMs: number }): Promise<Reservation<Reserved>>;
  /** Keeps the reservation while a payment may be on its way. False when it went to another. */
  keepReserved(tx: Db, holder: string): Promise<boolean>;
  /** Gives back the reservation. */
  unreserve(reserved: Reserved): Promise<void>;
};

export type Reservation<Reserved> = { reserved: Reserved } | 'busy' | 'done';

export type Taken<Reserved> =
  /** Claimed and confirmed on chain; what is bought is reserved. */
  | {
      state: 'paid';
      claim: PaymentClaim;
      reserved: Reserved;
      signature: string;
      payer: string;
      /** Null for a payment that had bought nothing. */
      quote: Quote | null;
      /** Whether this very request brought the payer's signature before anybody could see it on chain. */
      isSignedByPayer: boolean;
    }
  /** The payment bought this very request before. */
  | { state: 'answered'; payment: Payment }
  /** What was to be bought is there already. */
  | { state: 'done' };
