import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Blocks that stand for no place (RFC 6890): databases answer some of them with a country. */
const RESERVED_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
const RESERVED_V6 = [
  ...['::/128', '::1/128', '64:ff9b:1::/48', '100::/64', '2001:db8::/32', 'fc00::/7'],
  ...['fe80::/10', 'ff00::/8'],
];

const reserved = new BlockList();
for (const block of RESERVED_V4) addBlock(block, 'ipv4');
for (const block of RESERVED_V6) addBlock(block, 'ipv6');

/**
 * An address that may stand for a place, in the form that databases know (IPv4 inside IPv6 unwrapped), or
 * null for a reserved one and for what is no address.
 */
export function publicAddress(text: string): string | null {
  const address = unwrap(text);
  if (isIPv4(address)) return reserved.check(address, 'ipv4') ? null : address;
  if (isIPv6(address)) return reserved.check(address, 'ipv6') ? null : address;
  return null;
}

function unwrap(text: string): string {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1];
  if (dotted !== undefined) return dotted;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) return text;
  const [a, b] = [parseInt(high, 16), parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

function addBlock(block: string, family: 'ipv4' | 'ipv6'): void {
  const [net = '', bits = ''] = block.split('/');
  reserved.addSubnet(net, Number(bits), family);
}
