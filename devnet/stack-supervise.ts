import type { Part } from './stack-part';

const RESTARTS = 3;
const WINDOW_MS = 60_000;

/** Starts parts again that ended by themselves, at most three times a minute each. */
export function superviseParts(o: { say(line: string): void; onFatal(line: string): void }): {
  restart(part: Part | undefined, how: string): Promise<void>;
  stop(): void;
} {
  const crashes = new Map<string, number[]>();
  let stopped = false;
  return {
    stop: () => {
      stopped = true;
    },
    restart: async (part, how) => {
      if (stopped || !part) return;
      const now = Date.now();
      const recent = (crashes.get(part.name) ?? []).filter((at) => now - at < WINDOW_MS);
      crashes.set(part.name, [...recent, now]);
      if (recent.length >= RESTARTS)
        return o.onFatal(`${part.name} keeps ending (${how})${logOf(part)}`);
      o.say(`${part.name} ended (${how}); starting it again${logOf(part)}`);
      try {
        await part.start();
      } catch (error) {
        if (!stopped) o.onFatal(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

const logOf = (part: Part) => (part.logFile === null ? '' : `, see ${part.logFile}`);
