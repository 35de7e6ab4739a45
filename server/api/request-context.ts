import type { ServiceContext } from '@/server/context';
import { randomIds } from '@/server/ids';
import { serviceContext } from './service-context';

/** A request as the procedures see it, whichever door it came through. */
export type RequestContext = {
  service: ServiceContext;
  requestId: string;
  /** Wallet headers as sent; null where absent. */
  proof: { address: string | null; signature: string | null };
  /** `Authorization` as sent; null where absent. */
  authorization: string | null;
  /** Payment headers as sent; null where absent. */
  payment: { paymentSignature: string | null; xPayment: string | null };
  /** Address of the client as the server saw it; a key for limits, never stored. */
  client: string;
  /** Seconds the caller is willing to wait for the mint (`Prefer: wait=N`), 0 to 30; null when it does not say. */
  waitS: number | null;
};

type HeaderReader = { get(name: string): string | null };

/** Longest wait a caller may ask for with `Prefer: wait=N`, in seconds. */
const LONGEST_WAIT_S = 30;

export function requestContext(headers: HeaderReader): RequestContext {
  return {
    service: serviceContext(),
    requestId: randomIds.requestId(),
    proof: {
      address: headers.get('x-wallet-address'),
      signature: headers.get('x-wallet-signature'),
    },
    authorization: headers.get('authorization'),
    payment: {
      paymentSignature: headers.get('payment-signature'),
      xPayment: headers.get('x-payment'),
    },
    client: readClient(headers.get('x-forwarded-for')),
    waitS: readWait(headers.get('prefer')),
  };
}

/** The last hop of X-Forwarded-For: the one that our own server, or the proxy before it, wrote. */
function readClient(forwarded: string | null): string {
  return forwarded?.split(',').at(-1)?.trim() ?? '';
}

/** `wait=N` out of a Prefer header (RFC 7240); anything else in it is ignored. */
export function readWait(prefer: string | null): number | null {
  const match = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,4})"?(?:$|[,;\s])/i.exec(prefer ?? '');
  return match ? Math.min(Number(match[1]), LONGEST_WAIT_S) : null;
}
