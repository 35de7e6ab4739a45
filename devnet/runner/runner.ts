import type { Pool } from 'pg';
import type { AppFunction } from './functions';

export type RunnerOptions = {
  databaseUrl: string;
  /** 0 takes a free one. */
  port: number;
  /** Address of the app's serve handler, such as `http://127.0.0.1:3000/api/inngest`. */
  appUrl: string;
  /** Set for cloud mode: requests are signed, and answers and checkpoints must be. */
  signingKey?: string | null;
  /** When set, events are accepted with this key only. */
  eventKey?: string | null;
  /** Whether the app may run several steps in one call, like with the real server. Default true. */
  checkpointing?: boolean;
  /** Calls in flight at once. */
  concurrency?: number;
  /** How long a dead runner keeps a run. A living one renews well before. */
  leaseMs?: number;
  /** How long calls in flight may take to end at shutdown. */
  graceMs?: number;
  /** How often the app is asked for its functions after it answered. */
  pollMs?: number;
  /**
   * Wait before the second try, which doubles with each further one. Null is the real server's
   * table.
   */
  backoffMs?: number | null;
  /** Shortens sleeps, so that tests do not wait as long as people. Null never does. */
  mostSleepMs?: number | null;
  log?: (line: string) => void;
};

/** Faults that tests switch on: counts of messages to lose, and a stop of all calls. */
export type Faults = {
  /** Answer this many event posts with 500. */
  dropEvents: number;
  /** Lose this many answers of the app after reading them. */
  dropAnswers: number;
  /** Answer this many checkpoints with 500. */
  dropCheckpoints: number;
  /** Take no run from the queue. */
  paused: boolean;
};

export const NO_FAULTS: Faults = {
  dropEvents: 0,
  dropAnswers: 0,
  dropCheckpoints: 0,
  paused: false,
};

/** The state that the parts of a running runner share. */
export type Runner = Required<RunnerOptions> & {
  pool: Pool;
  /** Name of this process on the leases it holds. */
  owner: string;
  /** The app's functions by id. Null until an app has registered. */
  functions: Map<string, AppFunction> | null;
  /** Why the last sync was refused, else null. */
  refused: string | null;
  faults: Faults;
  /** The app refused a connection, so it is not called before this time (ms since 1970). */
  awayUntil: number;
  /** No new calls are made. */
  stopping: boolean;
  /** Cuts the calls in flight. */
  cut: AbortController;
  /** Reads the queue now, without waiting for the next tick. */
  wake(): void;
};
