import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { callRpc } from '@/devnet/client/call-rpc';
import { payToken } from '@/devnet/client/pay-token';
import type { Wallet } from '@/devnet/client/wallet';
import type { TestService } from './start-service';
import { makePair, mint, pay, type Answer } from './use-service';

const offer = z.looseObject({
  error: z.literal('Payment Required'),
  paymentRequirements: z.object({
    x402Version: z.literal(1),
    accepts: z.tuple([
      z.looseObject({
        payTo: z.string(),
        maxAmount: z.string(),
        extra: z.object({ memo: z.string() }),
      }),
    ]),
  }),
});

export type Offer = { payTo: string; amount: bigint; memo: string };
export type Sale = { payer: Wallet; seller: Wallet; signature: string };

/** The documented dialect's part of a 402. Throws for any other answer. */
export function offerOf(answer: Answer): Offer {
  if (answer.status !== 402)
    throw new Error(`expected 402, not ${answer.status}: ${JSON.stringify(answer.body)}`);
  const [{ payTo, maxAmount, extra }] = offer.parse(answer.body).paymentRequirements.accepts;
  return { payTo, amount: BigInt(maxAmount), memo: extra.memo };
}

/** A transfer of 25 USDC (or `amount`) whose receipt costs a fee, between new wallets. */
export async function makeSale(service: TestService, amount = 25_000_000n): Promise<Sale> {
  const { payer, seller } = await makePair(service);
  return { payer, seller, signature: await pay(service, { from: payer, to: seller, amount }) };
}

/**
 * Pays an offer as its documented dialect says. `memo: null` leaves the memo out, and then waits
 * first for as many slots as nodes may lag. `atOnce` skips that wait: an earlier payment needs the
 * wallet headers of its payer.
 */
export async function payOffer(
  service: TestService,
  o: { from: Wallet; offer: Offer; amount?: bigint; memo?: string | null; atOnce?: boolean },
): Promise<string> {
  const { from, offer: asked } = o;
  const memo = o.memo === undefined ? asked.memo : o.memo;
  if (memo === null && o.atOnce !== true) await passSlots(service, 5);
  return payToken(service.rpcUrl, {
    from,
    to: asked.payTo,
    token: 'USDC',
    amount: o.amount ?? asked.amount,
    ...(memo === null ? {} : { memo }),
  });
}

/** Waits until this many slots have begun. */
export async function passSlots({ rpcUrl }: TestService, count: number): Promise<void> {
  const slot = async () =>
    z.number().parse(await callRpc(rpcUrl, 'getSlot', [{ commitment: 'processed' }]));
  const end = (await slot()) + count;
  while ((await slot()) < end) await sleep(20);
}

/** POST /mint with a payment made before. */
export function mintPaid(
  service: TestService,
  o: {
    signature: string;
    payment: string;
    wallet?: Wallet;
    body?: Record<string, unknown>;
    headers?: Record<string, string>;
  },
): Promise<Answer> {
  const { payment, headers, ...rest } = o;
  return mint(service, { ...rest, headers: { 'x-payment': payment, ...headers } });
}

/** A base64 header of x402, decoded. */
export function decodeHeader(answer: Answer, name: string): Record<string, unknown> {
  const value = answer.headers.get(name);
  if (value === null) throw new Error(`the answer has no header ${name}`);
  return JSON.parse(Buffer.from(value, 'base64').toString('utf8')) as Record<string, unknown>;
}
