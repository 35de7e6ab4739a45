/** A running service. */
export type Running = { baseUrl: string; close(): Promise<void> };

/** A start. Its parts may end unexpectedly later, and `signal` cancels it. */
export type Start = {
  mode: 'start' | 'dev';
  say(line: string): void;
  /** Called when a required part has ended. */
  onFatal(line: string): void;
  signal: AbortSignal;
};

/** A way to start the service: on a cluster, or on the embedded stack. */
export type Place = {
  start(start: Start): Promise<Running>;
  /** Ends the processes of an unfinished start, which makes it fail. */
  interrupt(): Promise<void>;
  /** The line before `ready`. */
  warning: string | null;
};
