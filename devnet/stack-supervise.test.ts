import { afterEach, expect, it, vi } from 'vitest';
import type { Part } from './stack-part';
import { superviseParts } from './stack-supervise';

afterEach(() => vi.restoreAllMocks());

/** A part whose starts fail this many times. */
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
        if (starts <= failures) throw new Error('ended during its start');
      },
    },
  };
}

function supervise() {
  const fatal: string[] = [];
  const supervisor = superviseParts({ say: () => undefined, onFatal: (line) => fatal.push(line) });
  return { supervisor, fatal };
}

it('a part that dies again during its start is started once more, and the stack continues', async () => {
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
  expect(fatal).toEqual(['runner keeps ending (ended during its start)']);
});

it('a part that hangs in every start is killed before the next start, and given up', async () => {
  const { supervisor, fatal } = supervise();
  const { part } = makePart(Infinity);
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const calls: string[] = [];
  const hanging: Part = {
    ...part,
    start: async () => {
      calls.push('start');
      // A part may take this long, which is longer than the minute in which ends are counted.
      now += 120_000;
      if (calls.length < 20) throw new Error('was not ready within 120 s');
    },
    kill: async () => void calls.push('kill'),
  };
  await supervisor.restart(hanging, 'SIGKILL');
  expect(calls).toEqual(['start', 'kill', 'start', 'kill', 'start', 'kill']);
  expect(fatal).toEqual(['runner keeps ending (was not ready within 120 s)']);
});

it('no part is started after the launcher stops', async () => {
  const { supervisor, fatal } = supervise();
  const { part, starts } = makePart(0);
  supervisor.stop();
  await supervisor.restart(part, 'SIGKILL');
  expect([starts(), fatal]).toEqual([0, []]);
});
