import { describe, expect, it } from 'vitest';
import { chainAheadMs } from '@/server/chain/chain-order';
import { describeSkew, skewFault } from './check-accounts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

/** Nodes that are `slots` ahead of the newest final block, and give that block this time. */
const askedOf = (o: { blockTime: number | null; slots?: number }) =>
  chainAheadMs({
    clock: { now: () => new Date(NOW) },
    rpc: {
      getSlot: async (commitment) =>
        commitment === 'finalized' ? 1_000n : 1_000n + BigInt(o.slots ?? 0),
      getBlockTime: async () => (o.blockTime === null ? null : BigInt(o.blockTime)),
    },
  });

describe('the clock of the chain', () => {
  it('is read from the newest final block, less the slots since', async () => {
    expect(await askedOf({ blockTime: NOW / 1000 })).toBe(0);
    expect(await askedOf({ blockTime: NOW / 1000 - 12, slots: 30 })).toBe(0);
    expect(await askedOf({ blockTime: NOW / 1000 - 3_612, slots: 30 })).toBe(-3_600_000);
    expect(await askedOf({ blockTime: NOW / 1000 + 45 })).toBe(45_000);
  });

  it('is unknown while no node returns a time', async () => {
    expect(await askedOf({ blockTime: null })).toBeNull();
  });
});

describe('clocks that differ from the database', () => {
  it.each([
    [0, 0, null],
    [30_000, -30_000, null],
    [-29_000, null, null],
    [30_001, 0, 'the clock of this machine is 30.0 s ahead of the database'],
    [-86_400_000, 0, 'the clock of this machine is 86400.0 s behind the database'],
    [0, -31_000, "the chain's clock is 31.0 s behind the database"],
    [0, 3_600_000, "the chain's clock is 3600.0 s ahead of the database"],
  ])('by %i ms (machine) and %s ms (chain) stop sales: %s', (machineMs, chainMs, why) => {
    const fault = skewFault({ machineMs, chainMs });
    if (why === null) expect(fault).toBeNull();
    else expect(fault).toContain(why);
  });

  it('are both named when both are wrong', () => {
    expect(skewFault({ machineMs: 60_000, chainMs: -60_000 })).toMatch(/machine.*; the chain/);
    expect(describeSkew({ machineMs: 100, chainMs: null })).toContain('the chain has no time');
  });
});
