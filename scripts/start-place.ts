/** A service that runs. */
export type Running = { baseUrl: string; close(): Promise<void> };

/** A start: its parts may end on their own later, and `signal` cancels it. */
export type Start = {
  mode: 'start' | 'dev';
  say(line: string): void;
  /** Called when a part ended that the service cannot do without. */
  onFatal(line: string): void;
  signal: AbortSignal;
};

/** A way to start the service: on a cluster, or on the embedded stack. */
export type Place = {
  start(start: Start): Promise<Running>;
  /** Ends what a start under way has begun, which makes it give up. */
  interrupt(): Promise<void>;
  /** A last line before `ready`. */
  warning: string | null;
};
