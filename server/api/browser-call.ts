import type { Env } from '@/server/env';
import { ServiceError } from '@/server/errors';
import type { HeaderReader } from './client-address';

/** Facts about a call from one of our own pages. REST paths have none, and ignore cookies. */
export type BrowserCall = {
  /** Origin of the pages in the browser. */
  site: string;
  /** Whether one of our own pages called, as far as the browser says. */
  isOwnPage: boolean;
  sessionToken: string | null;
  setCookie(value: string): void;
};

/** How a transport for browsers passes a call on. */
export type BrowserTransport = { method: string; setCookie(value: string): void };

const SESSION_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the cookie of a call that came from our own pages. A call from elsewhere counts as one
 * without a cookie, so a foreign page can neither read nor do what a session may.
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
  throw new ServiceError('origin_refused', 'Only the pages of the service may call this.');
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

/**
 * Name of the cookie of a sign-in on the pages of an origin. The prefix makes browsers refuse it
 * from a subdomain or over http.
 */
export function cookieName(site: string): string {
  return isSecure(site) ? '__Host-quittance' : 'quittance';
}

/** On `local` the origin is where the browser found the pages on this machine, by name or by number. */
function siteOf(env: Pick<Env, 'network' | 'publicUrl'>, host: string | null): string {
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host ?? '');
  return env.network === 'local' && isHere ? `http://${host}` : new URL(env.publicUrl).origin;
}

/** Browsers send the origin with everything except plain reads, and for those where they come from. */
function isOwnPage(headers: HeaderReader, site: string, method: string): boolean {
  const origin = headers.get('origin');
  if (origin !== null) return origin === site;
  const from = headers.get('sec-fetch-site');
  return method === 'GET' && (from === null || from === 'same-origin' || from === 'none');
}

function isSecure(site: string): boolean {
  return site.startsWith('https:');
}

function cookieOf(header: string | null, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}
