import { afterEach, expect, it, vi } from 'vitest';
import type { Part } from './stack-part';
import { superviseParts } from './stack-supervise';

afterEach(() => vi.restoreAllMocks());

/** A part whose starts go wrong for so many times. */
function makePart(failures: number): { part: Part; starts(): number } {
  let starts = 0;
  const nothing = async () => undefined;
  return {
    starts: () => starts,
    part: {
      name: 'runner',
      logFile: null,
      pid: () => null,
      stop: nothing,
      kill: nothing,
      start: async () => {
        starts += 1;
        if (starts <= failures) throw new Error('ended while it was starting');
      },
    },
  };
}

function supervise() {
  const fatal: string[] = [];
  const supervisor = superviseParts({ say: () => undefined, onFatal: (line) => fatal.push(line) });
  return { supervisor, fatal };
}

it('a part that dies again while it is starting is started once more, and all goes on', async () => {
  const { supervisor, fatal } = supervise();
  const { part, starts } = makePart(1);
  await supervisor.restart(part, 'SIGKILL');
  expect([starts(), fatal]).toEqual([2, []]);
});

it('a part that never starts ends the launcher after three tries', async () => {
  const { supervisor, fatal } = supervise();
  const { part, starts } = makePart(Infinity);
  await supervisor.restart(part, 'SIGKILL');
  expect(starts()).toBe(3);
  expect(fatal).toEqual(['runner keeps ending (ended while it was starting)']);
});

it('a part that hangs in every start is ended before the next, and given up', async () => {
  const { supervisor, fatal } = supervise();
  const { part } = makePart(Infinity);
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const deeds: string[] = [];
  const hanging: Part = {
    ...part,
    start: async () => {
      deeds.push('start');
      // As long as a part may take, which is longer than the minute of which the ends are counted.
      now += 120_000;
      if (deeds.length < 20) throw new Error('was not ready within 120 s');
    },
    kill: async () => void deeds.push('kill'),
  };
  await supervisor.restart(hanging, 'SIGKILL');
  expect(deeds).toEqual(['start', 'kill', 'start', 'kill', 'start', 'kill']);
  expect(fatal).toEqual(['runner keeps ending (was not ready within 120 s)']);
});

it('nothing is started once the launcher stops', async () => {
  const { supervisor, fatal } = supervise();
  const { part, starts } = makePart(0);
  supervisor.stop();
  await supervisor.restart(part, 'SIGKILL');
  expect([starts(), fatal]).toEqual([0, []]);
});
