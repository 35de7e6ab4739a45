import { toDecimal, toJsonNumber, USDC_DECIMALS } from '@quittance/verify/money';
import {
  PaymentRefusal,
  recentBlockhash,
  standardOffers,
} from '@/server/payments/describe-challenge';
import type { ServiceError } from '@/server/errors';
import { feePayer } from '@/server/payments/facilitator/settle-exact';
import { paymentNetwork, PRICE_LIST } from '@/server/payments/prices';
import { salesClosed, takenNow } from './refuse-payment';
import type { Call } from '../call';

/** A route whose prices a program may ask for without a request. */
export type PricedPath = '/mint' | '/statement';

/** Nothing was requested, so nothing was counted. It is a number because programs add it up. */
const COUNTED_NOTHING = {
  '/mint': { free_tier: 'Transactions under 1 USD need no fee.', transaction_amount: 0 },
  '/statement': { tx_count: 0 },
} as const;

/**
 * The 402 for a call to a priced route without a request: its price range. It opens no quote, so there is nothing to
 * pay yet. Standard clients read the largest price, and a payment for an empty request is never settled. A 503
 * while the service accepts no payments.
 */
export async function answerProbe(call: Call, path: PricedPath): Promise<ServiceError> {
  const { env, rpc } = call.service;
  const closed = await salesClosed(null);
  if (closed) return closed;
  const listed = PRICE_LIST.find((route) => route.path === path);
  if (!listed) throw new Error(`${path} has no price`);
  const { leastMicros, mostMicros, rule } = listed;
  const { usdcMint } = paymentNetwork(env.network);
  const [least, most] = [leastMicros, mostMicros].map((one) => toDecimal(one, USDC_DECIMALS));
  const { header, accepts } = standardOffers({
    env,
    path,
    payTo: env.payTo,
    amount: mostMicros.toString(),
    memo: null,
    feePayer: feePayer(),
    blockhash: await recentBlockhash(rpc),
    description: `POST ${path}: ${rule}`,
    notSettled: (await takenNow()).notSettled,
  });
  const message = [
    ...(env.network === 'local' ? ['TEST CHAIN: this money is not real.'] : []),
    `POST ${path} costs ${least} to ${most} USDC: ${rule}.`,
    `This request names nothing to buy, so do not pay for it. A payment with an empty body is refused and never settled. Send the request as ${env.publicUrl}/openapi.json describes it. The answer is then an offer at its price.`,
  ].join(' ');
  const body = {
    error: 'Payment Required',
    message,
    ...COUNTED_NOTHING[path],
    price_range: {
      least: toJsonNumber(leastMicros, USDC_DECIMALS),
      least_raw: leastMicros.toString(),
      most: toJsonNumber(mostMicros, USDC_DECIMALS),
      most_raw: mostMicros.toString(),
      asset: 'USDC',
      asset_mint: usdcMint,
      rule,
    },
    x402Version: 1,
    accepts,
  };
  return new PaymentRefusal('payment_required', message, { challenge: { header, body } });
}
