import bs58 from 'bs58';
import { apiClient, failureOf, withHeaders } from '../api-client';
import { chainOf, isRejection, type Signer } from '../wallet/signer';
import { fromBase64, toBase64 } from './bytes';
import {
  CANNOT_PAY,
  CANNOT_SIGN,
  EXPIRED,
  NOT_SENT,
  REJECTED_PAYMENT,
  REJECTED_PROOF,
  failedOnChain,
  notEnoughSol,
  notEnoughUsdc,
  priceChanged,
  refused,
  refusedAfterPayment,
  walletFailed,
  wrongNetwork,
  type Failure,
} from './failures';
import { forgetOrder, saveOrder, type Order } from './order-store';

export type Phase = 'proving' | 'asking' | 'approving' | 'sending' | 'confirming' | 'minting';

/** Where an order stands, as the page shows it. */
export type Report = (order: Order, phase: Phase, note?: string) => void;

/** Thrown by a step that cannot go on; carries the words for it. */
export class OrderFailed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.title);
    this.name = 'OrderFailed';
  }
}

type Site = { network: 'local' | 'devnet' | 'mainnet'; serviceName: string };

/** Asks for a receipt: proof of the wallet, the request, and the payment where a fee is due. */
export async function runOrder(o: {
  site: Site;
  signer: Signer;
  order: Order;
  /** Fee that the page named, in micro-USDC. */
  shownPriceRaw: string;
  /** The wallet was asked before and said that it sent nothing. */
  nothingSent: boolean;
  report: Report;
}): Promise<Order> {
  const { site, signer, report, shownPriceRaw } = o;
  if (signer.chains && !signer.chains.includes(chainOf(site.network)))
    throw new OrderFailed(wrongNetwork(signer.name, site.network));
  report(o.order, 'proving');
  let order = { ...o.order, proof: await prove(site, signer, o.order, shownPriceRaw === '0') };
  report(order, 'asking');
  const answer = await ask(order);
  if (answer.state === 'there') return finish({ ...order, receiptId: answer.receiptId }, report);
  if (answer.quote.priceRaw !== shownPriceRaw)
    throw new OrderFailed(priceChanged(answer.quote.priceRaw));
  order = { ...order, quote: answer.quote };
  saveOrder(order);
  return pay({ ...o, order });
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
    throw new OrderFailed(isRejection(error) ? REJECTED_PROOF : walletFailed(error));
  }
}

/** The text that proves a wallet for the receipt of a transaction. */
export function proofText(serviceName: string, txSignature: string): string {
  return `${serviceName}:${txSignature}`;
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

function readQuote(
  details: Readonly<Record<string, unknown>>,
): { id: string; priceRaw: string } | null {
  const quote = details['quote'];
  const accepts = details['accepts'];
  const offer: unknown = Array.isArray(accepts) ? accepts[0] : null;
  if (typeof quote !== 'object' || quote === null || !('id' in quote)) return null;
  if (typeof offer !== 'object' || offer === null || !('maxAmountRequired' in offer)) return null;
  return { id: String(quote.id), priceRaw: String(offer.maxAmountRequired) };
}

async function pay(o: Parameters<typeof runOrder>[0]): Promise<Order> {
  const { signer, report, order } = o;
  const { quote } = order;
  if (!quote) throw new OrderFailed(NOT_SENT);
  const mode = signer.signTransaction ? 'sign' : signer.signAndSend ? 'send' : null;
  if (mode === null) throw new OrderFailed(CANNOT_PAY);
  const prepared = await apiClient.web.prepare
    .mutate(
      {
        quote_id: quote.id,
        request: order.request,
        wallet: signer.address,
        mode,
        nothing_sent: o.nothingSent,
      },
      { context: withHeaders({}) },
    )
    .catch((error: unknown) => {
      throw new OrderFailed(refused(failureOf(error)));
    });
  if (prepared.state === 'under_way')
    return confirm({ ...order, quote: { ...quote, id: prepared.quote_id } }, report);
  if (!prepared.has_usdc)
    throw new OrderFailed(
      notEnoughUsdc({ haveRaw: prepared.usdc_raw, needRaw: prepared.amount_raw }),
    );
  if (!prepared.has_sol)
    throw new OrderFailed(
      notEnoughSol({ haveLamports: prepared.lamports, needLamports: prepared.lamports_needed }),
    );
  report(order, 'approving');
  const wire = await approve(o, fromBase64(prepared.transaction));
  const signed = { ...order, wire };
  saveOrder(signed);
  if (wire !== null) {
    report(signed, 'sending');
    await send(signed, wire);
  }
  return confirm(signed, report);
}

/** The signed payment, or null when the wallet sent it by itself. */
async function approve(
  { signer, site }: Parameters<typeof runOrder>[0],
  transaction: Uint8Array,
): Promise<string | null> {
  try {
    if (signer.signTransaction) return toBase64(await signer.signTransaction(transaction));
    await signer.signAndSend?.(transaction, chainOf(site.network));
    return null;
  } catch (error) {
    throw new OrderFailed(isRejection(error) ? REJECTED_PAYMENT : walletFailed(error));
  }
}

/** Hands the signed payment to the service. When no answer comes, it may be on its way. */
async function send(order: Order, wire: string): Promise<void> {
  if (!order.quote) return;
  try {
    await apiClient.web.send.mutate(
      { quote_id: order.quote.id, transaction: wire },
      { context: withHeaders({}) },
    );
  } catch (error) {
    const failure = failureOf(error);
    if (failure.status !== 0 && failure.status < 500) throw new OrderFailed(refused(failure));
  }
}

const LOOK_EVERY_MS = 1_500;
/** Nodes drop what they cannot place at once, so it is sent again while it may land. */
const SEND_EVERY_LOOKS = 3;

/** Looks for the payment of an order until it has bought the receipt or can no longer land. */
export async function confirm(order: Order, report: Report): Promise<Order> {
  const { quote, wire } = order;
  if (!quote) throw new OrderFailed(NOT_SENT);
  report(order, 'confirming');
  for (let look = 1; ; look += 1) {
    const seen = await apiClient.web.resume
      .mutate({ quote_id: quote.id }, { context: withHeaders(proofHeaders(order)) })
      .catch((error: unknown) => failureOf(error));
    if ('message' in seen) {
      if (seen.status !== 0 && seen.status < 500) throw new OrderFailed(refusedAfterPayment(seen));
      report(order, 'confirming', seen.message);
    } else if (seen.state === 'bought') {
      const receipt = { ...order, receiptId: seen.receipt_id };
      return finish(receipt, report, seen.payment_used ? undefined : UNUSED);
    } else if (seen.state === 'nothing_paid') {
      throw new OrderFailed(
        seen.reason === 'failed'
          ? failedOnChain(seen.detail)
          : seen.reason === 'expired'
            ? EXPIRED
            : NOT_SENT,
      );
    } else {
      report(order, 'confirming');
      if (wire !== null && look % SEND_EVERY_LOOKS === 0) await send(order, wire);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

const UNUSED =
  'Somebody else had the receipt made while you paid. Your payment was not used: for 90 days it buys another receipt of at most its price.';

function finish(order: Order, report: Report, note?: string): Order {
  forgetOrder();
  report(order, 'minting', note);
  return order;
}

function proofHeaders(order: Order) {
  return order.proof === null
    ? {}
    : { 'x-wallet-address': order.wallet, 'x-wallet-signature': order.proof };
}
