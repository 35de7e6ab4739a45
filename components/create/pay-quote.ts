import type { inferRouterInputs } from '@trpc/server';
import type { AppRouter } from '@/server/api/app-router';
import { apiClient, failureOf, mayPass, withHeaders, type ApiFailure } from '../api-client';
import type { Signer } from '../wallet/signer';
import { fromBase64, toBase64 } from './bytes';
import {
  CANNOT_PAY,
  EXPIRED,
  NOT_SENT,
  REJECTED_PAYMENT,
  failedOnChain,
  notCounted,
  notEnoughSol,
  notEnoughUsdc,
  refused,
  refusedAfterPayment,
  walletFailure,
} from './failures';
import { OrderFailed } from './order-failed';

/** The request behind a quote. */
export type QuotedRequest = inferRouterInputs<AppRouter>['web']['prepare']['request'];
export type PayPhase = 'approving' | 'sending' | 'confirming';

type Bought = { id: string; paymentUsed: boolean };

/** A pending payment. */
export type Underway = {
  /** Its quote. */
  quoteId: string;
  /** The signed payment, base64, if the wallet returned it. */
  wire: string | null;
  /** The wallet that pays. Absent in entries of an older page. */
  wallet?: string | undefined;
  /** Last block height at which it can land, if known. */
  landsUntil?: string | undefined;
};

/**
 * Pays an open quote and returns the purchase. The wallet signs, and the service gets the signature
 * before it gets the payment. A pending payment is followed, and no second one is made.
 */
export async function payQuote(o: {
  signer: Signer;
  quoteId: string;
  request: QuotedRequest;
  headers: Record<string, string>;
  /** The wallet was asked before and reported that it sent nothing. */
  nothingSent: boolean;
  onPhase: (phase: PayPhase, note?: ApiFailure) => void;
  /** Called before the payment is sent, so that a closed page can resume. */
  onUnderway: (underway: Underway) => void;
}): Promise<Bought> {
  const { signer, quoteId } = o;
  const mode = signer.signTransaction ? 'sign' : signer.signAndSend ? 'send' : null;
  if (mode === null) throw new OrderFailed(CANNOT_PAY);
  const prepared = await apiClient.web.prepare
    .mutate(
      {
        quote_id: quoteId,
        request: o.request,
        wallet: signer.address,
        mode,
        nothing_sent: o.nothingSent,
      },
      { context: withHeaders(o.headers) },
    )
    .catch((error: unknown) => {
      throw new OrderFailed(refused(failureOf(error)));
    });
  if (prepared.state === 'under_way') {
    const other = { quoteId: prepared.quote_id, wire: null, wallet: signer.address };
    o.onUnderway(other);
    return confirmPayment({ ...o, ...other });
  }
  if (!prepared.has_usdc)
    throw new OrderFailed(
      notEnoughUsdc({ haveRaw: prepared.usdc_raw, needRaw: prepared.amount_raw }),
    );
  if (!prepared.has_sol)
    throw new OrderFailed(
      notEnoughSol({ haveLamports: prepared.lamports, needLamports: prepared.lamports_needed }),
    );
  o.onPhase('approving');
  const unsigned = {
    quoteId,
    wire: null,
    wallet: signer.address,
    landsUntil: prepared.lands_until,
  };
  // A wallet that sends the payment itself may do so and never answer.
  if (mode === 'send') o.onUnderway(unsigned);
  const wire = await approve(o, fromBase64(prepared.transaction));
  const underway = { ...unsigned, wire };
  o.onUnderway(underway);
  if (wire !== null) {
    o.onPhase('sending');
    await send(quoteId, wire);
  }
  return confirmPayment({ ...o, ...underway });
}

/** The signed payment, or null when the wallet sent it. */
async function approve(
  { signer }: Pick<Parameters<typeof payQuote>[0], 'signer'>,
  transaction: Uint8Array,
): Promise<string | null> {
  try {
    if (signer.signTransaction) return toBase64(await signer.signTransaction(transaction));
    await signer.signAndSend?.(transaction);
    return null;
  } catch (error) {
    const maySend = signer.signTransaction === null;
    throw new OrderFailed(walletFailure(error, { rejected: REJECTED_PAYMENT, maySend }));
  }
}

/** Sends the signed payment to the service. When no answer comes, it may still land. */
async function send(quoteId: string, wire: string): Promise<void> {
  try {
    await apiClient.web.send.mutate(
      { quote_id: quoteId, transaction: wire },
      { context: withHeaders({}) },
    );
  } catch (error) {
    const failure = failureOf(error);
    if (!mayPass(failure)) throw new OrderFailed(refused(failure));
  }
}

const LOOK_EVERY_MS = 1_500;
/**
 * Nodes drop payments that they cannot forward at once, so it is sent again for as long as it may
 * land.
 */
const SEND_EVERY_LOOKS = 3;

/** Polls a payment until it has bought its item or can no longer land. */
export async function confirmPayment(
  o: Underway & {
    headers: Record<string, string>;
    onPhase: (phase: PayPhase, note?: ApiFailure) => void;
  },
): Promise<Bought> {
  const { quoteId, wire, wallet, landsUntil } = o;
  const asked = { quote_id: quoteId, wallet, lands_until: landsUntil };
  o.onPhase('confirming');
  for (let look = 1; ; look += 1) {
    const seen = await apiClient.web.resume
      .mutate(asked, { context: withHeaders(o.headers) })
      .catch((error: unknown) => failureOf(error));
    if ('message' in seen) {
      if (!mayPass(seen)) throw new OrderFailed(refusedAfterPayment(seen));
      o.onPhase('confirming', seen);
    } else if (seen.state === 'bought') {
      return { id: seen.bought_id, paymentUsed: seen.payment_used };
    } else if (seen.state === 'nothing_paid') {
      throw new OrderFailed(
        {
          failed: () => failedOnChain(seen.detail),
          not_counted: () => notCounted(seen.detail),
          expired: () => EXPIRED,
          not_sent: () => NOT_SENT,
        }[seen.reason](),
      );
    } else {
      o.onPhase('confirming');
      if (wire !== null && look % SEND_EVERY_LOOKS === 0) await send(quoteId, wire);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/**
 * The offer in the details of a 402, in the dialect that is always offered. Null when there is
 * none.
 */
export function readQuote(
  details: Readonly<Record<string, unknown>>,
): { id: string; priceRaw: string } | null {
  const id = fieldOf(details, 'quote', 'id');
  const priceRaw = fieldOf(details, 'paymentRequirements', 'accepts', '0', 'maxAmount');
  return typeof id === 'string' && typeof priceRaw === 'string' ? { id, priceRaw } : null;
}

function fieldOf(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined,
    value,
  );
}
