import { describe, expect, it } from 'vitest';
import * as settingsModule from '@/server/env';
import { standIn } from '@/tests/harness/stand-in';
import { systemClock } from '@/server/clock';
import { makeKey } from '@/server/receipts/evidence.fixture';
import { trusted } from '@/server/trusted';
import { chargeCall, chargeWallet, clientKey } from './charge-limits';
import type { ProvenWallet } from './call';

// Nothing of it is reachable: no PostgreSQL listens there.
standIn(settingsModule, {
  env: () => ({
    databaseUrl: 'postgresql://u:p@127.0.0.1:9/none',
    redisUrl: null,
    logLevel: 'silent',
    limits: { reads: 5, polls: 5, paid: 5, wallet: 5, rpc: 5 },
  }),
});

const minter = makeKey();
const keyOf = (client: string, now = '2026-03-01T12:00:00Z') =>
  clientKey(
    trusted<Parameters<typeof clientKey>[0]>(
      {
        actor: { client },
        service: { env: { minter }, clock: { ...systemClock, now: () => new Date(now) } },
      },
      'all that is read of it',
    ),
  );

it('a client is not stored by its address, and its key changes each day', () => {
  expect(keyOf('203.0.113.7')).toMatch(/^[0-9a-f]{64}$/);
  expect(keyOf('203.0.113.7')).toBe(keyOf('203.0.113.7', '2026-03-01T23:59:59Z'));
  expect(keyOf('203.0.113.7')).not.toBe(keyOf('203.0.113.7', '2026-03-02T00:00:00Z'));
  expect(keyOf('203.0.113.7')).not.toBe(keyOf('203.0.113.8'));
});

it('the addresses of one /64 count as one client, and so do the two spellings of an IPv4 address', () => {
  expect(keyOf('2001:db8:1:2::1')).toBe(keyOf('2001:DB8:1:2:ffff::9'));
  expect(keyOf('2001:db8:1:2:3:4:5:6')).toBe(keyOf('2001:db8:1:2::'));
  expect(keyOf('2001:db8:1:3::1')).not.toBe(keyOf('2001:db8:1:2::1'));
  expect(keyOf('::1')).not.toBe(keyOf('2001:db8::1'));
  expect(keyOf('::ffff:203.0.113.7')).toBe(keyOf('203.0.113.7'));
  expect(keyOf('::ffff:cb00:7107')).toBe(keyOf('203.0.113.7'));
  expect(keyOf('::ffff:cb00:7108')).not.toBe(keyOf('203.0.113.7'));
});

describe('while requests cannot be counted', () => {
  const limits = { state: null, rpcPoints: 0 };
  const ctx = trusted<Parameters<typeof chargeCall>[0]>(
    {
      actor: { kind: 'anyone', client: '203.0.113.7', limits },
      service: { env: { minter, limits: {} }, clock: systemClock },
    },
    'all that is read of it',
  );
  const refusal = { code: 'service_unavailable' };

  it('free reads go on, and what an operator does', async () => {
    for (const path of ['receipts.find', 'receipts.status', 'payments.pricing', 'issuer.read'])
      await chargeCall(ctx, { path, type: 'query' });
    for (const path of ['admin.retry', 'admin.release', 'admin.refund'])
      await chargeCall(ctx, { path, type: 'mutation' });
    expect(limits.state).toBeNull();
  });

  it('paid routes, sign-ins, registrations and proven wallets are refused', async () => {
    const paths = ['receipts.create', 'statements.create', 'web.prepare'];
    const entries = ['session.begin', 'session.complete', 'registrations.register'];
    for (const path of [...paths, ...entries])
      await expect(chargeCall(ctx, { path, type: 'mutation' }), path).rejects.toMatchObject(
        refusal,
      );
    const wallet = trusted<ProvenWallet>('wallet', 'nothing is proven with it here');
    await expect(chargeWallet(ctx, wallet)).rejects.toMatchObject(refusal);
  });
});
