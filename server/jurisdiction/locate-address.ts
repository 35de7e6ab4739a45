import { BlockList, isIPv4 } from 'node:net';
import maxmind, { type Reader, type Response } from 'maxmind';
import { z } from 'zod';
import { canonicalAddress } from '@/server/ip-address';
import { processWide } from '@/server/process-wide';

/** Where a caller seems to be, without the address that it comes from. */
export type Location = {
  /** ISO 3166 code; null when it is not known. */
  country: string | null;
  method: 'ip_geolocation';
  /** When the database was made. */
  databaseDate: Date;
};

/** iptoasn and its kind have a flat record, GeoLite2 and its kind a nested one. */
const code = z.string().regex(/^[A-Z]{2}$/);
const record = z.union([
  z.object({ country_code: code }).transform((found) => found.country_code),
  z.object({ country: z.object({ iso_code: code }) }).transform((found) => found.country.iso_code),
]);

type Database = Pick<Reader<Response>, 'get' | 'metadata'>;

/** Each has some megabytes. */
const openedDatabases = processWide('locations', () => new Map<string, Promise<Database | null>>());

/**
 * The country of an address by a database on this machine: no other service is asked, and nothing
 * of the address is kept. A reserved or unknown address has none. Null when there is no database to
 * ask.
 */
export async function locateAddress(address: string, file: string): Promise<Location | null> {
  const opened = openedDatabases();
  const database = opened.get(file) ?? openDatabase(file);
  opened.set(file, database);
  const reader = await database;
  if (!reader) return null;
  const asked = publicAddress(address);
  const found = asked === null ? null : record.safeParse(reader.get(asked));
  return {
    country: found?.success ? found.data : null,
    method: 'ip_geolocation',
    databaseDate: reader.metadata.buildEpoch,
  };
}

/** Receipts work without it, and the start says that it is missing. */
async function openDatabase(file: string): Promise<Database | null> {
  try {
    return await maxmind.open<Response>(file);
  } catch {
    return null;
  }
}

/** Blocks without a place (RFC 6890): databases return a country for some of them. */
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
 * An address that may have a place, in the form that databases know (IPv4 inside IPv6 unwrapped).
 * Null for a reserved one and for a text that is not an address.
 */
function publicAddress(text: string): string | null {
  const address = canonicalAddress(text);
  if (address === null) return null;
  return reserved.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') ? null : address;
}

function addBlock(block: string, family: 'ipv4' | 'ipv6'): void {
  const [net = '', bits = ''] = block.split('/');
  reserved.addSubnet(net, Number(bits), family);
}
