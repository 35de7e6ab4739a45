import { expect, it } from 'vitest';
import { chooseLimits, limitsVariable } from './limits';

it('limits are the decided ones, a hundred times higher on local, changed by name or off', () => {
  expect(chooseLimits(undefined, { isLocal: false })).toEqual({
    reads: 120,
    polls: 600,
    paid: 20,
    wallet: 300,
    rpc: 600,
    free_wallet: 20,
    free_pair: 5,
    free_client: 50,
    free_all: 2_000,
    failed_payer: 5,
    failed_all: 500,
  });
  expect(chooseLimits(undefined, { isLocal: true })).toMatchObject({
    reads: 12_000,
    free_pair: 500,
  });
  const changed = limitsVariable.parse('reads=5, free_all = 0');
  expect(chooseLimits(changed, { isLocal: true })).toMatchObject({
    reads: 5,
    free_all: 0,
    paid: 2_000,
  });
  expect(chooseLimits(limitsVariable.parse('off'), { isLocal: false })).toBeNull();
});

it.each(['reads', 'reads=', 'reads=-1', 'writes=3', 'reads=1=2', 'toString=3'])(
  'no limit is set by %s',
  (text) => expect(limitsVariable.safeParse(text).success).toBe(false),
);
