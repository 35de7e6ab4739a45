import { isIP, isIPv4, isIPv6 } from 'node:net';

/** Last two groups of an IPv6 address that contains an IPv4 one, in the form of URLs. */
const WRAPPED_IPV4 = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * The canonical spelling of an address; null for a text that is not one. IPv6 is in lower case with
 * the longest zeros left out (RFC 5952), without a zone.
 *
 * An IPv4 address inside IPv6 becomes the IPv4 address. It is either mapped (`::ffff:0:0/96`),
 * which sockets of both families return, or behind the well-known prefix of translators
 * (`64:ff9b::/96`, RFC 6052). Otherwise all of IPv4 would share one /64 there. Only a translator
 * can have an address of either block.
 */
export function canonicalAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  const bare = text.replace(/%.*$/, '');
  if (!isIPv6(bare)) return null;
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  return unwrapIpv4(short) ?? short;
}

/** The key of a client in limits: its IPv4 address, or the whole /64 of its IPv6 address. */
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

/** Second-level labels under which names are registered, like `co` in `co.uk`. */
const SHARED_LABELS: ReadonlySet<string> = new Set(['co', 'com', 'net', 'org', 'ac', 'gov']);

/**
 * The part of a URL's host that one provider registers: `example.com` of `rpc-2.example.com`, three
 * labels under `co.uk` and the like. An IP address stays unchanged.
 */
export function providerOf(text: string): string {
  const host = new URL(text).hostname.replace(/\.$/, '').toLowerCase();
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return host;
  const labels = host.split('.');
  const isShared = labels.at(-1)?.length === 2 && SHARED_LABELS.has(labels.at(-2) ?? '');
  return labels.slice(isShared ? -3 : -2).join('.');
}
