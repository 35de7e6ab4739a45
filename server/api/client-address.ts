import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { canonicalAddress } from '@/server/ip-address';

/** The headers of a request, by name. */
export type HeaderReader = { get(name: string): string | null };

/** Overwrites whatever a client sends under this name; see {@link stampPeers}. */
const PEER_HEADER = 'x-quittance-peer';

/**
 * Address of the client: that of the connection, or the one that the outermost of so many trusted
 * proxies saw. Each proxy appends the address it was called from to X-Forwarded-For, so only the
 * last `trustedHops` entries do not come from the client. In canonical form; empty when there is no
 * address.
 */
export function clientAddress(headers: HeaderReader, trustedHops: number): string {
  const peer = headers.get(PEER_HEADER);
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').filter(Boolean);
  const chain = peer === null ? forwarded : [...forwarded, peer];
  // Fewer entries than hops: a request that bypassed the proxies is its own first hop.
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
 * Notes the address of its connection on each request, before anything else handles it. Next.js
 * gives handlers no connection, and would use a client's own X-Forwarded-For instead.
 */
export function stampPeers(): void {
  subscribe('http.server.request.start', (message) => {
    const request: unknown = Reflect.get(Object(message), 'request');
    if (request instanceof IncomingMessage)
      request.headers[PEER_HEADER] = request.socket.remoteAddress ?? '';
  });
}
