import type { Part } from './stack-part';

const RESTARTS = 3;
const WINDOW_MS = 60_000;

export type Supervisor = {
  restart(part: Part | undefined, how: string): Promise<void>;
  stop(): void;
};

/**
 * Starts parts again that ended by themselves, at most three times a minute each. A part that dies once more while
 * it is starting counts like any other that ended.
 */
export function superviseParts(o: {
  say(line: string): void;
  onFatal(line: string): void;
}): Supervisor {
  const crashes = new Map<string, number[]>();
  let stopped = false;

  async function restart(part: Part | undefined, how: string): Promise<void> {
    if (stopped || !part) return;
    const now = performance.now();
    const recent = (crashes.get(part.name) ?? []).filter((at) => now - at < WINDOW_MS);
    crashes.set(part.name, [...recent, now]);
    if (recent.length >= RESTARTS)
      return o.onFatal(`${part.name} keeps ending (${how})${logOf(part)}`);
    o.say(`${part.name} ended (${how}); starting it again${logOf(part)}`);
    try {
      await part.start();
    } catch (error) {
      await restart(part, error instanceof Error ? error.message : String(error));
    }
  }

  return {
    restart,
    stop: () => {
      stopped = true;
    },
  };
}

const logOf = (part: Part) => (part.logFile === null ? '' : `, see ${part.logFile}`);
