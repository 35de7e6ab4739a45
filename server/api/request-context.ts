import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import type { ServiceContext } from '@/server/context';
import type { Env } from '@/server/env';
import { ServiceError } from '@/server/errors';
import { randomIds } from '@/server/ids';
import { canonicalAddress } from '@/server/ip-address';
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

/** A request as the procedures see it, whichever transport it came by. */
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
  /** Written by the guards: where the client stands, and what the request cost in calls to nodes. */
  limits: { state: LimitState | null; rpcPoints: number };
  /** Null on REST paths. */
  browser: BrowserCall | null;
};

type HeaderReader = { get(name: string): string | null };

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

/** A purchase as its use case takes it: the body, and what the headers say beside it. */
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

/** What only a call from one of our own pages has. REST paths have none: there, cookies mean nothing. */
export type BrowserCall = {
  /** Origin of the pages, as the browser sees it. */
  site: string;
  /** Whether one of our own pages called, as far as the browser says. */
  isOwnPage: boolean;
  sessionToken: string | null;
  setCookie(value: string): void;
};

/** How a transport that browsers use hands a call over. */
export type BrowserTransport = { method: string; setCookie(value: string): void };

const SESSION_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the cookie of a call that came from our own pages. From anywhere else, the call is as one
 * without a cookie: a foreign page can neither read nor do what a session may.
 */
export function readBrowserCall(o: {
  headers: HeaderReader;
  env: Pick<Env, 'network' | 'publicUrl'>;
  transport: BrowserTransport;
}): BrowserCall {
  const { headers, env, transport } = o;
  const site = siteOf(env, headers.get('host'));
  const isOwn = isOwnPage(headers, site, transport.method);
  const token = isOwn ? cookieOf(headers.get('cookie'), cookieName(site)) : null;
  return {
    site,
    isOwnPage: isOwn,
    sessionToken: token !== null && SESSION_TOKEN.test(token) ? token : null,
    setCookie: transport.setCookie,
  };
}

/** The page part of a call; throws 403 for a transport without one and for a foreign page. */
export function requireBrowser(ctx: { browser: BrowserCall | null }): BrowserCall {
  if (ctx.browser?.isOwnPage) return ctx.browser;
  throw new ServiceError('origin_refused', 'This is for the pages of the service alone.');
}

/** A cookie that scripts cannot read and other sites cannot send; without a token it ends at once. */
export function sessionCookie(site: string, session: { token: string; expiresAt: Date } | null) {
  return [
    `${cookieName(site)}=${session?.token ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(site) ? ['Secure'] : []),
    session === null ? 'Max-Age=0' : `Expires=${session.expiresAt.toUTCString()}`,
  ].join('; ');
}

/** On `local` the pages are where the browser found them on this machine, by name or by number. */
function siteOf(env: Pick<Env, 'network' | 'publicUrl'>, host: string | null): string {
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host ?? '');
  return env.network === 'local' && isHere ? `http://${host}` : new URL(env.publicUrl).origin;
}

/** Browsers name the origin with everything but plain reads, and where those come from. */
function isOwnPage(headers: HeaderReader, site: string, method: string): boolean {
  const origin = headers.get('origin');
  if (origin !== null) return origin === site;
  const from = headers.get('sec-fetch-site');
  return method === 'GET' && (from === null || from === 'same-origin' || from === 'none');
}

function isSecure(site: string): boolean {
  return site.startsWith('https:');
}

/** The prefix makes browsers refuse it from a subdomain or over http. */
function cookieName(site: string): string {
  return isSecure(site) ? '__Host-quittance' : 'quittance';
}

function cookieOf(header: string | null, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

/** Written over whatever a client sends under this name; see {@link stampPeers}. */
const PEER_HEADER = 'x-quittance-peer';

/**
 * Address of the client: that of the connection, or what the outermost of so many trusted proxies saw.
 * Each proxy adds the address it was called from at the end of X-Forwarded-For, so only the last
 * `trustedHops` entries are anybody's word but the client's. In its one spelling; empty when there is no
 * address.
 */
export function clientAddress(headers: HeaderReader, trustedHops: number): string {
  const peer = headers.get(PEER_HEADER);
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').filter(Boolean);
  const chain = peer === null ? forwarded : [...forwarded, peer];
  // Fewer entries than hops: a request that came past the proxies is its own first hop.
  const entry = chain.at(Math.max(-chain.length, -1 - trustedHops)) ?? '';
  return canonicalAddress(bare(entry.trim())) ?? '';
}

/** Some proxies write the port behind the address. */
function bare(entry: string): string {
  return (
    /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? entry.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  );
}

/**
 * Notes on each request, before anything else sees it, the address of its connection. Next.js gives
 * handlers no connection, and takes a client's own X-Forwarded-For for it.
 */
export function stampPeers(): void {
  subscribe('http.server.request.start', (message) => {
    const request: unknown = Reflect.get(Object(message), 'request');
    if (request instanceof IncomingMessage)
      request.headers[PEER_HEADER] = request.socket.remoteAddress ?? '';
  });
}
