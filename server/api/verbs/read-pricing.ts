import { USDC_DECIMALS, toJsonNumber } from '@quittance/verify/money';
import { paidRoutesState } from '@/server/payments/check-accounts';
import { feePayer } from '@/server/payments/facilitator/fee-payer';
import { paymentNetwork } from '@/server/payments/payment-network';
import { LARGEST_PRICE_MICROS, PRICE_LIST } from '@/server/payments/prices';
import type { PricingBody } from '../payment-schemas';
import type { RequestContext } from '../request-context';

/** What everything costs, to whom it is paid, and whether it can be paid now. */
export async function readPricing({ service }: RequestContext): Promise<PricingBody> {
  const { env } = service;
  const names = paymentNetwork(env.network);
  const state = await paidRoutesState();
  const notSettled = state.open ? (state.notSettled ?? null) : state.reason;
  return {
    success: true,
    network: names.caip2,
    asset: 'USDC',
    asset_mint: names.usdcMint,
    pay_to: env.payTo,
    fee_payer: feePayer(),
    largest_price: toJsonNumber(LARGEST_PRICE_MICROS, USDC_DECIMALS),
    largest_price_raw: LARGEST_PRICE_MICROS.toString(),
    open: state.open,
    reason: state.open ? null : state.reason,
    x402_open: notSettled === null,
    x402_reason: notSettled,
    routes: PRICE_LIST.map(({ method, path, leastMicros, mostMicros, rule }) => ({
      method,
      path,
      least_price: toJsonNumber(leastMicros, USDC_DECIMALS),
      least_price_raw: leastMicros.toString(),
      most_price: toJsonNumber(mostMicros, USDC_DECIMALS),
      most_price_raw: mostMicros.toString(),
      rule,
    })),
  };
}
