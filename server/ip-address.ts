import { isIP, isIPv4, isIPv6 } from 'node:net';

/** Last two groups of an IPv6 address that stands for an IPv4 one, as URLs write it. */
const WRAPPED_IPV4 = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * The one spelling of an address, however it was written; null for what is none. IPv6 is in lower case with
 * the longest zeros left out (RFC 5952), without a zone. An IPv4 address inside IPv6 is the IPv4 address:
 * mapped (`::ffff:0:0/96`), as sockets of both families give it, and behind the well-known prefix of
 * translators (`64:ff9b::/96`, RFC 6052). Else all of IPv4 would share one /64 there, and nobody but a
 * translator can have an address of either block.
 */
export function canonicalAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  const bare = text.replace(/%.*$/, '');
  if (!isIPv6(bare)) return null;
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  return unwrapIpv4(short) ?? short;
}

/** What limits know a client by: its IPv4 address, or the /64 that an IPv6 address belongs to as a whole. */
export function networkOf(address: string): string {
  const canonical = canonicalAddress(address) ?? '';
  if (!isIPv6(canonical)) return canonical;
  const [head = '', tail = ''] = canonical.split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = canonical.includes('::') ? 8 - before.length - after.length : 0;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.padStart(4, '0'))
    .join(':');
}

function unwrapIpv4(short: string): string | null {
  const [, high, low] = WRAPPED_IPV4.exec(short) ?? [];
  if (high === undefined || low === undefined) return null;
  const [a, b] = [parseInt(high, 16), parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

/** Whether a URL names this machine or an address that no one outside can reach. */
export function isPrivateHost(text: string): boolean {
  const host = new URL(text).hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost') || host.endsWith('.local')) return true;
  if (isIP(host) === 4)
    return /^(0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(
      host,
    );
  if (isIP(host) === 6) return /^(::1?$|f[cd]|fe[89ab]|::ffff:)/.test(host);
  return !host.includes('.');
}

/** Second-level labels under which names are registered, as `co` in `co.uk`. */
const SHARED_LABELS: ReadonlySet<string> = new Set(['co', 'com', 'net', 'org', 'ac', 'gov']);

/**
 * The part of a URL's host that one provider registers: `example.com` of `rpc-2.example.com`, three labels under
 * `co.uk` and the like, an IP address as it is.
 */
export function providerOf(text: string): string {
  const host = new URL(text).hostname.replace(/\.$/, '').toLowerCase();
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return host;
  const labels = host.split('.');
  const isShared = labels.at(-1)?.length === 2 && SHARED_LABELS.has(labels.at(-2) ?? '');
  return labels.slice(isShared ? -3 : -2).join('.');
}
