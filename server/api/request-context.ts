import type { ServiceContext } from '@/server/context';
import { randomIds } from '@/server/ids';
import { readBrowserCall, type BrowserCall, type BrowserDoor } from './browser-call';
import { clientAddress } from './client-address';
import { readProofHeaders, type ProofHeaders } from './guards/proof-headers';
import type { LimitState } from '@/server/limit-store';
import { serviceContext } from './service-context';

/** A request as the procedures see it, whichever door it came through. */
export type RequestContext = {
  service: ServiceContext;
  requestId: string;
  /** Wallet headers as sent; null where absent, and for a lone address that is of another chain. */
  proof: ProofHeaders;
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
  /** Written by the guards: where the client stands, and what the request cost in calls to nodes. */
  limits: { state: LimitState | null; rpcPoints: number };
  /** Null on REST paths. */
  browser: BrowserCall | null;
};

type HeaderReader = { get(name: string): string | null };

/** Longest wait a caller may ask for with `Prefer: wait=N`, in seconds. */
const LONGEST_WAIT_S = 30;

export function requestContext(headers: HeaderReader, door?: BrowserDoor): RequestContext {
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
    browser: door ? readBrowserCall({ headers, env: service.env, door }) : null,
  };
}

/** `wait=N` out of a Prefer header (RFC 7240); anything else in it is ignored. */
export function readWait(prefer: string | null): number | null {
  const match = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,4})"?(?:$|[,;\s])/i.exec(prefer ?? '');
  return match ? Math.min(Number(match[1]), LONGEST_WAIT_S) : null;
}
