/** Longer than load balancers keep idle connections, so that they never send into a closing one. */
const KEEP = ['--keepAliveTimeout', '65000'];

/**
 * Megabytes for young objects. Requests make many and keep few, and twice the default halves the
 * garbage collection.
 */
const YOUNG = ['--max-semi-space-size=32'];

/**
 * Megabytes for old objects. With this limit the heap grows to 1.5 times its need, without it to
 * three times.
 */
const OLD = ['--max-old-space-size=1024'];

/**
 * glibc keeps the memory that a thread frees for that thread, in up to eight arenas a core (M_ARENA_MAX of
 * mallopt(3)). Drawing and compressing 200 images on several threads left 65 MB there. Two arenas hold less,
 * and most of the process's memory is the heap, which does not use them.
 */
const ARENAS = { MALLOC_ARENA_MAX: '2' };

/** Slightly longer than the app gives its requests to end, after it has drained. */
export const STOP_MS = 30_000;

/**
 * Arguments of Node and environment of the app process: a production build, or the development
 * server.
 */
export function nextProcess(o: {
  mode: 'start' | 'dev';
  env: NodeJS.ProcessEnv;
  port: number;
  /** Null listens on every address. */
  host: string | null;
}): { args: string[]; env: NodeJS.ProcessEnv } {
  const isStart = o.mode === 'start';
  return {
    args: [
      ...YOUNG,
      // The development server compiles in the same process.
      ...(isStart ? OLD : []),
      'node_modules/next/dist/bin/next',
      o.mode,
      ...['--port', String(o.port)],
      ...(o.host === null ? [] : ['--hostname', o.host]),
      ...(isStart ? KEEP : []),
    ],
    env: {
      ...ARENAS,
      ...o.env,
      NODE_ENV: isStart ? 'production' : 'development',
      NEXT_TELEMETRY_DISABLED: '1',
      // server/start/stop-on-request.ts does this, with a time limit.
      ...(isStart ? { NEXT_MANUAL_SIG_HANDLE: '1' } : {}),
    },
  };
}
