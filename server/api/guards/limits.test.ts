import { expect, it } from 'vitest';
import { systemClock } from '@/server/clock';
import { makeKey } from '@/server/receipts/evidence.fixture';
import { trusted } from '@/server/trusted';
import type { RequestContext } from '../request-context';
import { clientKey } from './limits';

const minter = makeKey();
const keyOf = (client: string, now = '2026-03-01T12:00:00Z') =>
  clientKey(
    trusted<Pick<RequestContext, 'service' | 'client'>>(
      { client, service: { env: { minter }, clock: { ...systemClock, now: () => new Date(now) } } },
      'all that is read of it',
    ),
  );

it('a client is known by no address, and by another word each day', () => {
  expect(keyOf('203.0.113.7')).toMatch(/^[0-9a-f]{64}$/);
  expect(keyOf('203.0.113.7')).toBe(keyOf('203.0.113.7', '2026-03-01T23:59:59Z'));
  expect(keyOf('203.0.113.7')).not.toBe(keyOf('203.0.113.7', '2026-03-02T00:00:00Z'));
  expect(keyOf('203.0.113.7')).not.toBe(keyOf('203.0.113.8'));
});

it('the addresses of one /64 count as one client, as do the two spellings of an IPv4 address', () => {
  expect(keyOf('2001:db8:1:2::1')).toBe(keyOf('2001:DB8:1:2:ffff::9'));
  expect(keyOf('2001:db8:1:2:3:4:5:6')).toBe(keyOf('2001:db8:1:2::'));
  expect(keyOf('2001:db8:1:3::1')).not.toBe(keyOf('2001:db8:1:2::1'));
  expect(keyOf('::1')).not.toBe(keyOf('2001:db8::1'));
  expect(keyOf('::ffff:203.0.113.7')).toBe(keyOf('203.0.113.7'));
});
