import { describe, expect, it } from 'vitest';
import { createDatabaseClock } from './database-clock';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HOUR_MS = 3_600_000;

/** A clock over a database, an elapsed time and a machine that the test moves by hand. */
function setUp() {
  const world = { database: NOON, elapsed: 0, machine: NOON, thereMs: 0, backMs: 0, isAway: false };
  const pass = (ms: number) => {
    world.database += ms;
    world.elapsed += ms;
    world.machine += ms;
  };
  const clock = createDatabaseClock({
    ask: async () => {
      if (world.isAway) throw new Error('away');
      pass(world.thereMs);
      const told = world.database;
      pass(world.backMs);
      return told;
    },
    elapsedMs: () => world.elapsed,
    systemMs: () => world.machine,
  });
  return { world, pass, clock, errorMs: () => clock.now().getTime() - world.database };
}

describe('the clock of the service', () => {
  it('has no time before the database has returned one', () => {
    const { clock } = setUp();
    expect(clock.isSet()).toBe(false);
    expect(() => clock.now()).toThrow('has not returned its time');
  });

  it.each([HOUR_MS, -2 * 24 * HOUR_MS])(
    'has the time of the database on a machine whose own clock is %i ms ahead',
    async (aheadMs) => {
      const { world, pass, clock, errorMs } = setUp();
      world.machine += aheadMs;
      await clock.sample();
      pass(4_000);
      expect(errorMs()).toBe(0);
      expect(clock.systemAheadMs()).toBe(aheadMs);
    },
  );

  it('does not move when the clock of the machine is set', async () => {
    const { world, pass, clock, errorMs } = setUp();
    await clock.sample();
    world.machine -= HOUR_MS;
    pass(1_000);
    expect(errorMs()).toBe(0);
    expect(clock.systemAheadMs()).toBe(-HOUR_MS);
  });

  it('is off by half of the first round trip at most, and by less with each quicker one', async () => {
    const { world, pass, clock, errorMs } = setUp();
    world.thereMs = 400;
    await clock.sample();
    expect(Math.abs(errorMs())).toBe(200);
    world.thereMs = 10;
    await clock.sample();
    // Until it is caught up with, the earlier time stands still.
    pass(200);
    expect(Math.abs(errorMs())).toBeLessThanOrEqual(10);
  });

  it('is not moved by an answer that took long', async () => {
    const { world, clock, errorMs } = setUp();
    await clock.sample();
    for (const [thereMs, backMs] of [
      [20_000, 0],
      [0, 20_000],
    ] as const) {
      Object.assign(world, { thereMs, backMs });
      await clock.sample();
      expect(errorMs()).toBe(0);
    }
  });

  it('continues from its last sample while the database is away', async () => {
    const { world, pass, clock, errorMs } = setUp();
    await clock.sample();
    world.isAway = true;
    await expect(clock.sample()).rejects.toThrow('away');
    pass(HOUR_MS);
    expect(errorMs()).toBe(0);
  });

  it('is right again with the first sample after its machine was suspended', async () => {
    const { world, clock, errorMs } = setUp();
    await clock.sample();
    // The time that a process has for elapsed stands still meanwhile.
    world.database += HOUR_MS;
    world.machine += HOUR_MS;
    expect(errorMs()).toBe(-HOUR_MS);
    await clock.sample();
    expect(errorMs()).toBe(0);
  });

  it('follows drift of the elapsed time', async () => {
    const { world, pass, clock, errorMs } = setUp();
    await clock.sample();
    world.elapsed -= 300;
    pass(5_000);
    await clock.sample();
    expect(errorMs()).toBe(0);
  });

  it('never has an earlier time than before, but holds still until it has caught up with a small correction', async () => {
    const { world, pass, clock, errorMs } = setUp();
    await clock.sample();
    const before = clock.now().getTime();
    world.database -= 500;
    await clock.sample();
    expect(clock.now().getTime()).toBe(before);
    pass(499);
    expect(clock.now().getTime()).toBe(before);
    pass(2);
    expect(errorMs()).toBe(0);
  });

  it('follows a database whose clock was set back, at once', async () => {
    const { world, clock, errorMs } = setUp();
    await clock.sample();
    clock.now();
    world.database -= HOUR_MS;
    await clock.sample();
    expect(errorMs()).toBe(0);
  });
});
