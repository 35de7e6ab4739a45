import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address';

const seen = (hops: number, forwarded: string | null, peer: string | null = '10.0.0.5') => {
  const headers: Record<string, string | null> = {
    'x-forwarded-for': forwarded,
    'x-quittance-peer': peer,
  };
  return clientAddress({ get: (name) => headers[name] ?? null }, hops);
};

describe('the address of a client', () => {
  it('is that of the connection unless proxies are trusted, whatever the client claims', () => {
    expect(seen(0, '1.2.3.4, 198.51.100.7')).toBe('10.0.0.5');
    expect(seen(0, null)).toBe('10.0.0.5');
  });

  it('is what the outermost trusted proxy saw, never what stands before it', () => {
    expect(seen(1, '1.2.3.4, 198.51.100.7')).toBe('198.51.100.7');
    expect(seen(2, '1.2.3.4, 8.8.8.8, 198.51.100.7')).toBe('8.8.8.8');
    expect(seen(1, '8.8.8.8')).toBe('8.8.8.8');
  });

  it('is that of the first hop when a request came past the proxies', () => {
    expect(seen(3, null)).toBe('10.0.0.5');
    expect(seen(3, '8.8.8.8')).toBe('8.8.8.8');
  });

  it('is nothing when what is there is no address', () => {
    expect(seen(1, 'nonsense')).toBe('');
    expect(seen(1, '1.2.3.4, ')).toBe('');
    expect(seen(0, null, null)).toBe('');
  });

  it('is read without a port', () => {
    expect(seen(1, '8.8.8.8:4711')).toBe('8.8.8.8');
    expect(seen(1, '[2001:4860:4860::8888]:443')).toBe('2001:4860:4860::8888');
    expect(seen(1, '2001:4860:4860::8888')).toBe('2001:4860:4860::8888');
  });

  it.each([
    '::ffff:8.8.8.8',
    '::FFFF:0808:0808',
    '[::ffff:8.8.8.8]:443',
    '[::ffff:808:808]',
    '0:0:0:0:0:ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('is the IPv4 address where %s stands for one, from a proxy and from a socket', (text) => {
    expect(seen(1, text)).toBe('8.8.8.8');
    if (!text.startsWith('[')) expect(seen(0, null, text)).toBe('8.8.8.8');
  });

  it('has one spelling, without a zone', () => {
    expect(seen(0, null, 'fe80::1%eth0')).toBe('fe80::1');
    expect(seen(1, '2001:DB8:0::1')).toBe('2001:db8::1');
  });
});
