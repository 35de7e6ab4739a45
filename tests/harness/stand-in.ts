import { afterAll, beforeAll, vi, type Mock } from 'vitest';
import * as logModule from '@/server/log';
import { trusted } from '@/server/trusted';

/**
 * Replaces exports of a module by functions for all tests of a file, and restores them after these.
 * The module stays loaded, so files that share a worker need not load it again.
 */
export function standIn<M extends object>(
  module: M,
  functions: Partial<Record<keyof M & string, (...args: never[]) => unknown>>,
): void {
  const exported = trusted<Record<string, () => unknown>>(module, 'its exports are functions');
  let placed: Mock[] = [];
  beforeAll(() => {
    placed = Object.entries(functions).map(([name, made]) =>
      vi
        .spyOn(exported, name)
        .mockImplementation(trusted<() => unknown>(made, 'called as the original')),
    );
  });
  afterAll(() => {
    for (const one of placed) one.mockRestore();
  });
}

/** Drops log lines, in a file whose subject logs and that has no settings. */
export function muteLog(): void {
  const drop = () => undefined;
  standIn(logModule, { log: () => ({ info: drop, warn: drop, error: drop }) });
}
