import bs58 from 'bs58';
import { apiClient, failureOf, withHeaders, type ApiFailure } from '../api-client';
import { proofText, type Signer } from '../wallet/signer';
import {
  CANNOT_SIGN,
  NOT_SENT,
  REJECTED_PROOF,
  priceChanged,
  refused,
  walletFailure,
} from './failures';
import { OrderFailed } from './order-failed';
import { forgetOrder, saveOrder, type Order } from './order-store';
import { confirmPayment, payQuote, readQuote, type PayPhase } from './pay-quote';

export type Phase = 'proving' | 'asking' | PayPhase | 'minting';

/** A note beside a step: the payment was not used, or the last answer of the service. */
export type OrderNote = 'unused' | ApiFailure;

/** The state of an order, as the page shows it. */
export type Report = (order: Order, phase: Phase, note?: OrderNote) => void;

type Site = { network: 'local' | 'devnet' | 'mainnet'; serviceName: string };

/** Requests a receipt: the proof of the wallet, the request, and the payment if a fee is due. */
export async function runOrder(o: {
  site: Site;
  signer: Signer;
  order: Order;
  /** Fee that the page named, in micro-USDC. */
  shownPriceRaw: string;
  /** The wallet was asked before and reported that it sent nothing. */
  nothingSent: boolean;
  report: Report;
}): Promise<Order> {
  const { site, signer, report, shownPriceRaw } = o;
  let order = { ...o.order, proof: await prove(site, signer, o.order, shownPriceRaw === '0') };
  report(order, 'asking');
  const answer = await ask(order);
  if (answer.state === 'there') return finish({ ...order, receiptId: answer.receiptId }, report);
  const { quote } = answer;
  if (quote.priceRaw !== shownPriceRaw) throw new OrderFailed(priceChanged(quote.priceRaw));
  order = { ...order, quote };
  saveOrder(order);
  const bought = await payQuote({
    signer,
    quoteId: quote.id,
    request: order.request,
    headers: proofHeaders(order),
    nothingSent: o.nothingSent,
    onPhase: (phase, note) => report(order, phase, note),
    onUnderway: ({ quoteId, wire, landsUntil }) => {
      order = { ...order, wire, landsUntil, quote: { ...quote, id: quoteId } };
      saveOrder(order);
    },
  });
  return finish({ ...order, receiptId: bought.id }, report, bought.paymentUsed);
}

/** Resumes an order that may have a pending payment. */
export async function resumeOrder(order: Order, report: Report): Promise<Order> {
  const { quote, wire, wallet, landsUntil } = order;
  if (!quote) throw new OrderFailed(NOT_SENT);
  const bought = await confirmPayment({
    quoteId: quote.id,
    wire,
    wallet,
    landsUntil,
    headers: proofHeaders(order),
    onPhase: (phase, note) => report(order, phase, note),
  });
  return finish({ ...order, receiptId: bought.id }, report, bought.paymentUsed);
}

async function prove(
  site: Site,
  signer: Signer,
  order: Order,
  isNeeded: boolean,
): Promise<string | null> {
  if (order.proof !== null && order.wallet === signer.address) return order.proof;
  if (!signer.signMessage) {
    if (isNeeded) throw new OrderFailed(CANNOT_SIGN);
    return null;
  }
  const text = proofText(site.serviceName, order.request.tx_signature);
  try {
    return bs58.encode(await signer.signMessage(new TextEncoder().encode(text)));
  } catch (error) {
    throw new OrderFailed(walletFailure(error, { rejected: REJECTED_PROOF, maySend: false }));
  }
}

type Asked =
  { state: 'there'; receiptId: string } | { state: 'due'; quote: { id: string; priceRaw: string } };

async function ask(order: Order): Promise<Asked> {
  try {
    const outcome = await apiClient.receipts.create.mutate(order.request, {
      context: withHeaders(proofHeaders(order)),
    });
    return { state: 'there', receiptId: outcome.body.receipt_id };
  } catch (error) {
    const failure = failureOf(error);
    const quote = failure.code === 'payment_required' ? readQuote(failure.details) : null;
    if (quote) return { state: 'due', quote };
    throw new OrderFailed(refused(failure));
  }
}

function finish(order: Order, report: Report, paymentUsed = true): Order {
  forgetOrder(order);
  report(order, 'minting', paymentUsed ? undefined : 'unused');
  return order;
}

function proofHeaders(order: Order): Record<string, string> {
  return order.proof === null
    ? {}
    : { 'x-wallet-address': order.wallet, 'x-wallet-signature': order.proof };
}
