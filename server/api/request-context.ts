import type { ServiceContext } from '@/server/context';
import { randomIds } from '@/server/ids';
import type { LimitState } from '@/server/limit-store';
import type {
  Anyone,
  Call,
  OperatorActor,
  Order,
  SessionActor,
  ShownProof,
  WalletActor,
  ProvenWallet,
} from '@/server/use-cases/call';
import { readProofHeaders } from '@/server/use-cases/prove-wallet';
import { serviceContext } from '@/server/use-cases/service';
import { type BrowserCall, type BrowserTransport, readBrowserCall } from './browser-call';
import { clientAddress, type HeaderReader } from './client-address';

/** A request as the procedures see it, for every transport. */
export type RequestContext = {
  service: ServiceContext;
  requestId: string;
  /** Wallet headers as sent; null where absent, and for a lone address that is of another chain. */
  proof: ShownProof;
  /** `X-Wallet-Time` as sent; null where absent. */
  walletTime: string | null;
  /** `Authorization` as sent; null where absent. */
  authorization: string | null;
  /** Payment headers as sent; null where absent. */
  payment: { paymentSignature: string | null; xPayment: string | null };
  /** Address of the client as the server saw it (empty: none); never stored, never logged. */
  client: string;
  /** Seconds the caller is willing to wait for the mint (`Prefer: wait=N`), 0 to 30; null when it does not say. */
  waitS: number | null;
  /**
   * Written by the guards: the rest of the client's limit, and the request's cost in calls to
   * nodes.
   */
  limits: { state: LimitState | null; rpcPoints: number };
  /** Null on REST paths. */
  browser: BrowserCall | null;
};

/** Longest wait a caller may ask for with `Prefer: wait=N`, in seconds. */
const LONGEST_WAIT_S = 30;

export function requestContext(
  headers: HeaderReader,
  transport?: BrowserTransport,
): RequestContext {
  const service = serviceContext();
  return {
    service,
    requestId: randomIds.requestId(),
    proof: readProofHeaders(headers),
    walletTime: headers.get('x-wallet-time'),
    authorization: headers.get('authorization'),
    payment: {
      paymentSignature: headers.get('payment-signature'),
      xPayment: headers.get('x-payment'),
    },
    client: clientAddress(headers, service.env.trustedProxyHops),
    waitS: readWait(headers.get('prefer')),
    limits: { state: null, rpcPoints: 0 },
    browser: transport ? readBrowserCall({ headers, env: service.env, transport }) : null,
  };
}

/** The use case of a procedure for anyone at an address. */
export function callOf<Input>(ctx: RequestContext, input: Input): Call<Input, Anyone> {
  return {
    service: ctx.service,
    actor: { ...senderOf(ctx), kind: 'anyone', proof: ctx.proof },
    input,
  };
}

/** The same for a wallet that the procedure proved. */
export function callOfWallet<Input>(
  ctx: RequestContext,
  wallet: ProvenWallet,
  input: Input,
): Call<Input, WalletActor> {
  return { service: ctx.service, actor: { ...senderOf(ctx), kind: 'wallet', wallet }, input };
}

/** The same for a wallet that signed in. */
export function callOfSession<Input>(
  ctx: RequestContext & { session: { wallet: string } },
  input: Input,
): Call<Input, SessionActor> {
  const { wallet } = ctx.session;
  return { service: ctx.service, actor: { ...senderOf(ctx), kind: 'session', wallet }, input };
}

/** The same for an operator, by the name that the audit gives. */
export function callOfOperator<Input>(
  ctx: RequestContext & { operator: string },
  input: Input,
): Call<Input, OperatorActor> {
  const { operator: name } = ctx;
  return { service: ctx.service, actor: { ...senderOf(ctx), kind: 'operator', name }, input };
}

/** A purchase as its use case takes it: the body, and the relevant headers. */
export function orderOf<Body>({ payment, waitS }: RequestContext, body: Body): Order<Body> {
  return { body, payment, waitS };
}

function senderOf({ requestId: id, client, limits }: RequestContext) {
  return { id, client, limits };
}

/** `wait=N` out of a Prefer header (RFC 7240); anything else in it is ignored. */
export function readWait(prefer: string | null): number | null {
  const match = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,4})"?(?:$|[,;\s])/i.exec(prefer ?? '');
  return match ? Math.min(Number(match[1]), LONGEST_WAIT_S) : null;
}
