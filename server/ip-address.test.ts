import { describe, expect, it } from 'vitest';
import { canonicalAddress, networkOf } from './ip-address';

describe('an address has one spelling', () => {
  it.each([
    '1.2.3.4',
    '::ffff:1.2.3.4',
    '::FFFF:1.2.3.4',
    '::ffff:0102:0304',
    '::ffff:102:304',
    '0:0:0:0:0:ffff:1.2.3.4',
    '0000:0000:0000:0000:0000:FFFF:0102:0304',
    '::ffff:1.2.3.4%eth0',
    '64:ff9b::1.2.3.4',
    '64:FF9B::102:304',
    '0064:ff9b:0:0:0:0:0102:0304',
  ])('%s is the IPv4 address 1.2.3.4', (text) => {
    expect(canonicalAddress(text)).toBe('1.2.3.4');
    expect(networkOf(text)).toBe('1.2.3.4');
  });

  it.each([
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['FE80::1%25en0', 'fe80::1'],
    ['::', '::'],
    // Only the blocks for IPv4 do: a local translator's prefix may hold anything.
    ['64:ff9b:1::1.2.3.4', '64:ff9b:1::102:304'],
    ['::1.2.3.4', '::102:304'],
    ['::ffff:0:1.2.3.4', '::ffff:0:102:304'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical);
  });

  it.each([
    '',
    'nonsense',
    '1.2.3',
    '1.2.3.04',
    '1.2.3.256',
    '::ffff:1.2.3',
    '%eth0',
    '1.2.3.4%eth0',
    '[::1]',
  ])('%j is not an address', (text) => {
    expect(canonicalAddress(text)).toBeNull();
    expect(networkOf(text)).toBe('');
  });
});

it('one IPv6 address counts as all of its /64', () => {
  expect(networkOf('2001:db8:1:2::1')).toBe('2001:0db8:0001:0002');
  expect(networkOf('2001:DB8:1:2:ffff:ffff:ffff:ffff')).toBe('2001:0db8:0001:0002');
  expect(networkOf('2001:db8:1:3::1')).not.toBe('2001:0db8:0001:0002');
  expect(networkOf('::1')).toBe('0000:0000:0000:0000');
});
