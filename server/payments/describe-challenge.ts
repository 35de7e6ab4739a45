import { MEMO_PROGRAM_IDS, TOKEN } from '@quittance/verify/chain/programs';
import { toDecimal, USDC_DECIMALS } from '@quittance/verify/money';
import { perChain } from '@/server/chain/per-chain';
import type { Rpc } from '@/server/chain/rpc';
import type { Env } from '@/server/env';
import { type ErrorCode, ServiceError } from '@/server/errors';
import { LARGEST_PRICE_MICROS, LEAST_PRICE_MICROS, paymentNetwork } from './prices';
import type { QuoteTerms } from './quotes';

/** The offer of a 402: its JSON body, and the PAYMENT-REQUIRED header of x402 v2 (null: we settle none now). */
export type Challenge = { body: Record<string, unknown>; header: string | null };

/** A blockhash lives 60 to 90 s, so a longer time could not be kept (x402 exact scheme on Solana). */
const TIMEOUT_S = 60;

/**
 * One offer for three kinds of client: the documented dialect under `paymentRequirements`, x402 v1 at the
 * top of the body, x402 v2 in the header. All name the same amount, wallet and memo. Absolute URLs come
 * from PUBLIC_URL.
 */
export function describeChallenge(o: {
  env: Pick<Env, 'network' | 'publicUrl' | 'operator'>;
  quote: QuoteTerms;
  feePayer: string;
  blockhash: RecentBlockhash | null;
  /** One line for wallets about the purchase. */
  description: string;
  /** First sentence of the message: the fee and its purpose. */
  fee: string;
  /** How a payment without memo counts. */
  bare: keyof typeof WITHOUT_MEMO;
  /** Why the payment in the request was not accepted; null when there was none. */
  refusal: string | null;
  /**
   * Why payments of v1 and v2 are not settled now, so that none is offered. Null while they are
   * settled.
   */
  notSettled: string | null;
  /** Why a payment that the client sends counts only later. Null while it counts at once. */
  countsLater: string | null;
  /** Fields of the route, as `transaction_amount`. */
  fields: Record<string, unknown>;
}): Challenge {
  const { env, quote } = o;
  const names = paymentNetwork(env.network);
  const amount = quote.priceMicros.toString();
  const { header, accepts } = standardOffers({
    ...o,
    path: quote.path,
    payTo: quote.payTo,
    amount,
    memo: quote.id,
  });
  return {
    header,
    body: {
      error: 'Payment Required',
      message: message(o, names.usdcMint),
      ...o.fields,
      quote: {
        id: quote.id,
        price: toDecimal(quote.priceMicros, USDC_DECIMALS),
        asset: 'USDC',
        asset_mint: names.usdcMint,
        open_until: quote.openUntil.toISOString(),
        memo_programs: MEMO_PROGRAM_IDS,
      },
      paymentRequirements: {
        x402Version: 1,
        accepts: [
          {
            scheme: 'exact',
            network: names.documented,
            asset: 'USDC',
            payTo: quote.payTo,
            maxAmount: amount,
            extra: { memo: quote.id },
          },
        ],
      },
      x402Version: 1,
      accepts,
    },
  };
}

/**
 * Values for standard clients: v2 in the header, v1 in the body. Empty while we settle no payment
 * of theirs.
 */
export function standardOffers(o: {
  env: Pick<Env, 'network' | 'publicUrl'>;
  path: string;
  payTo: string;
  /** In micro-USDC. */
  amount: string;
  /** Id of the quote; null where none was opened. */
  memo: string | null;
  feePayer: string;
  blockhash: RecentBlockhash | null;
  description: string;
  notSettled: string | null;
}): { header: string | null; accepts: object[] } {
  if (o.notSettled !== null) return { header: null, accepts: [] };
  const { env, amount, description } = o;
  const names = paymentNetwork(env.network);
  const url = `${env.publicUrl}${o.path}`;
  const extra = {
    feePayer: o.feePayer,
    ...(o.memo === null ? {} : { memo: o.memo }),
    // We settle before we do the work, so that a refused payment costs nobody anything.
    paymentFlow: 'upfront',
    decimals: USDC_DECIMALS,
    tokenProgram: TOKEN,
    ...(o.blockhash && {
      recentBlockhash: o.blockhash.blockhash,
      lastValidBlockHeight: o.blockhash.lastValidBlockHeight.toString(),
    }),
  };
  const common = { scheme: 'exact', payTo: o.payTo, maxTimeoutSeconds: TIMEOUT_S };
  const v2 = {
    x402Version: 2,
    error: 'Payment Required',
    resource: { url, description, mimeType: 'application/json' },
    accepts: [{ ...common, network: names.caip2, amount, asset: names.usdcMint, extra }],
  };
  const v1 = {
    ...common,
    network: names.v1,
    maxAmountRequired: amount,
    asset: names.usdcMint,
    resource: url,
    description,
    mimeType: 'application/json',
    extra,
  };
  return { header: Buffer.from(JSON.stringify(v2)).toString('base64'), accepts: [v1] };
}

const WITHOUT_MEMO = {
  proven_only:
    'Without the memo, pay exactly this amount and send the wallet headers of the wallet that paid.',
  only_request_of_wallet:
    'Without the memo, pay exactly this amount from wallet_address, 3 seconds after this answer or later. If you pay earlier, or while other requests of that wallet are open at this price, send its wallet headers as well.',
} as const;

function message(o: Parameters<typeof describeChallenge>[0], mint: string): string {
  const price = `${toDecimal(o.quote.priceMicros, USDC_DECIMALS)} USDC`;
  const largest = toDecimal(LARGEST_PRICE_MICROS, USDC_DECIMALS);
  const least = toDecimal(LEAST_PRICE_MICROS, USDC_DECIMALS);
  return [
    ...(o.env.network === 'local' ? ['TEST CHAIN: this money is not real.'] : []),
    ...(o.refusal === null ? [] : [o.refusal]),
    o.fee,
    `To pay, send ${price} (mint ${mint}) on Solana to ${o.quote.payTo} with the memo ${o.quote.id}. The memo is an SPL Memo instruction (program ${MEMO_PROGRAM_IDS.join(' or ')}) in the same transaction, with exactly this text. Then send the same request again with the signature of that transaction in X-Payment. The offer is open until ${o.quote.openUntil.toISOString()}. ${WITHOUT_MEMO[o.bare]}`,
    ...(o.countsLater === null ? [] : [waitsBecause(o.countsLater)]),
    ...forClients(o.notSettled, largest),
    `We record everything that arrives at ${o.quote.payTo} in USDC, SOL or another token of our table within minutes, presented or not. GET ${o.env.publicUrl}/payments/{signature} shows its state. A payment that bought nothing stays its payer's. USDC then buys one request of at most its amount within 90 days, with the wallet headers of the payer. Payments are not added up, so less than ${least} USDC buys nothing. A surplus, SOL or another token buys nothing either. ${o.env.operator.name} (${o.env.operator.contact}) makes refunds by hand, of the whole or of a part, on request. A refunded payment buys nothing.`,
  ].join(' ');
}

function waitsBecause(why: string): string {
  return `A payment made now counts later, because ${why} and two must show it. Repeat the same request with its signature until it counts.`;
}

/** The message for standard clients. Nothing is offered to them while the service settles no payment. */
function forClients(notSettled: string | null, largest: string): string[] {
  if (notSettled !== null)
    return [
      `Standard x402 clients cannot pay at the moment, because ${notSettled}, and the service sends their payments. Pay as above.`,
    ];
  return [
    'Standard x402 clients of version 1 (this body) and 2 (the PAYMENT-REQUIRED header) pay automatically.',
    `Their spend caps may be lower than our largest price, ${largest} USDC. To raise the cap of @x402/fetch, call setSpendControls({ maxAmountPerPayment: "$${largest}" }) on the client. For x402-fetch, pass ${LARGEST_PRICE_MICROS} as third argument of wrapFetchWithPayment.`,
  ];
}

/**
 * The state of a payment, as SettlementResponse of x402. `transaction` is empty when nothing moved.
 */
export type Settlement = {
  success: boolean;
  transaction: string;
  network: string;
  payer?: string;
  errorReason?: string;
};

/**
 * A refusal that concerns a payment. It carries the offer of a 402, and the result of a payment
 * that the PAYMENT-RESPONSE header describes.
 */
export class PaymentRefusal extends ServiceError {
  readonly challenge: Challenge | null;
  readonly settlement: Settlement | null;

  constructor(
    code: ErrorCode,
    message: string,
    o: {
      challenge?: Challenge | null;
      settlement?: Settlement | null;
      details?: Record<string, unknown>;
      retryAfterS?: number;
    },
  ) {
    const challenge = o.challenge ?? null;
    super(code, message, {
      details: challenge ? challenge.body : (o.details ?? {}),
      ...(o.retryAfterS === undefined ? {} : { retryAfterS: o.retryAfterS }),
    });
    this.name = 'PaymentRefusal';
    this.challenge = challenge;
    this.settlement = o.settlement ?? null;
  }
}

export type RecentBlockhash = { blockhash: string; lastValidBlockHeight: bigint };

/** A new one is fetched at most this often, however many quotes are opened. */
const REFRESH_MS = 10_000;
/** Older ones leave a client too little of the 60 s that a blockhash lives at least. */
const USABLE_MS = 20_000;
/** Longest time that the first quote after a quiet time waits for a node. */
const PATIENCE_MS = 400;

type Entry = { at: number; askedAt: number; value: RecentBlockhash | null; asked: Promise<void> };
const entryOf = perChain((): Entry => ({
  at: Number.NEGATIVE_INFINITY,
  askedAt: Number.NEGATIVE_INFINITY,
  value: null,
  asked: Promise.resolve(),
}));

/**
 * A blockhash for clients that pay without a node of their own. Null while there is no fresh one: a
 * quote never fails for lack of it.
 */
export async function recentBlockhash(rpc: Rpc): Promise<RecentBlockhash | null> {
  const entry = entryOf(rpc);
  if (performance.now() - entry.askedAt > REFRESH_MS) {
    entry.askedAt = performance.now();
    entry.asked = refresh(rpc, entry);
  }
  if (!isUsable(entry)) await Promise.race([entry.asked, pause()]);
  return isUsable(entry) ? entry.value : null;
}

function isUsable(entry: Entry): boolean {
  return performance.now() - entry.at <= USABLE_MS;
}

async function refresh(rpc: Rpc, entry: Entry): Promise<void> {
  const asked = performance.now();
  try {
    entry.value = await rpc.getLatestBlockhash();
    entry.at = asked;
  } catch {
    // The quote goes out without one, and the next refresh tries again.
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref());
}
