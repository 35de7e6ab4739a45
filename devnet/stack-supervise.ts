import type { Part } from './stack-part';

const RESTARTS = 3;
const WINDOW_MS = 60_000;

type Supervisor = {
  restart(part: Part | undefined, how: string): Promise<void>;
  stop(): void;
};

/**
 * Restarts parts that ended unexpectedly. A part may end again during its start. Each end counts.
 * The fourth within a minute is fatal, and so is the third failed start in a row.
 */
export function superviseParts(o: {
  say(line: string): void;
  onFatal(line: string): void;
}): Supervisor {
  const crashes = new Map<string, number[]>();
  let stopped = false;

  /** Notes one more end of a part. Returns whether it may be started again. */
  const mayRestart = (name: string, failedStarts: number): boolean => {
    const now = performance.now();
    const recent = (crashes.get(name) ?? []).filter((at) => now - at < WINDOW_MS);
    crashes.set(name, [...recent, now]);
    return recent.length < RESTARTS && failedStarts < RESTARTS;
  };

  const restart = async (part: Part | undefined, how: string): Promise<void> => {
    let reason = how;
    for (let failedStarts = 0; part && !stopped; failedStarts += 1) {
      if (!mayRestart(part.name, failedStarts))
        return o.onFatal(`${part.name} keeps ending (${reason})${logOf(part)}`);
      o.say(`${part.name} ended (${reason}); starting it again${logOf(part)}`);
      try {
        return await part.start();
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
      // A part that hangs in its start would keep its port from the next.
      await part.kill();
    }
  };

  return {
    stop: () => {
      stopped = true;
    },
    restart,
  };
}

const logOf = (part: Part) => (part.logFile === null ? '' : `, see ${part.logFile}`);
