import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';

const METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
]);

/** Where requests go that Next.js has no answer of ours for: see app/bad-request. */
const BAD_REQUEST = {
  path: '/bad-request/path',
  method: '/bad-request/method',
  nothing: '/bad-request/nothing',
} as const;
/** An escape of a letter, a digit, `-`, `_` or `~`, which no client writes that means the path well. */
const NEEDLESS_ESCAPE = /%(2d|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;

/**
 * Sends on, before anything else sees them, requests that Next.js answers with a plain 500 or an empty page:
 * a path that cannot be decoded, and a method that no route has. They get an error body like any other.
 */
export function screenRequests(): void {
  subscribe('http.server.request.start', (message) => {
    const request: unknown = Reflect.get(Object(message), 'request');
    if (!(request instanceof IncomingMessage)) return;
    const target = targetOf(request.method ?? '', request.url ?? '');
    if (target !== null) {
      request.url = target;
      // With a body that nobody reads, the connection could not be used again.
      request.method = 'GET';
      return;
    }
    const response: unknown = Reflect.get(Object(message), 'response');
    if (response instanceof ServerResponse) openRedirect(request, response);
  });
}

/**
 * Next.js leads a path with a slash too many to the one without by itself, where no header of ours is. A page of
 * another site may follow it like any answer; a browser follows none for the question before (OPTIONS), so that is
 * asked of the right path at once.
 */
function openRedirect(request: IncomingMessage, response: ServerResponse): void {
  const straight = straightPath(request.url ?? '');
  if (straight === null) return;
  if (request.method === 'OPTIONS') request.url = straight;
  else response.setHeader('Access-Control-Allow-Origin', '*');
}

/** The path without a slash too many; null for one that has none, which is not led elsewhere. */
export function straightPath(url: string): string | null {
  const [path = '', ...query] = url.split('?');
  const straight = path.replace(/[/\\]{2,}|\\/g, '/').replace(/(?<=.)\/$/, '');
  return straight === path ? null : [straight, ...query].join('?');
}

/** Where a request must go instead, or null for one that may go on. */
export function targetOf(method: string, url: string): string | null {
  if (!METHODS.has(method)) return BAD_REQUEST.method;
  if (!isPath(url)) return BAD_REQUEST.path;
  // Next.js takes `/%6dint` for a page that it lacks, and what guards `/admin` before us may not know `/%61dmin`.
  return NEEDLESS_ESCAPE.test(url.split('?', 1)[0] ?? '') ? BAD_REQUEST.nothing : null;
}

function isPath(url: string): boolean {
  // An absolute form or an asterisk is for proxies and servers, not for a site.
  if (!url.startsWith('/')) return false;
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}
