import { BlockList, isIPv4 } from 'node:net';
import { canonicalAddress } from '@/server/ip-address';

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
  const address = canonicalAddress(text);
  if (address === null) return null;
  return reserved.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') ? null : address;
}

function addBlock(block: string, family: 'ipv4' | 'ipv6'): void {
  const [net = '', bits = ''] = block.split('/');
  reserved.addSubnet(net, Number(bits), family);
}
