import { isIPv4, isIPv6 } from 'node:net';

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
