/** Longer than load balancers keep idle connections, so that they never send into a closing one. */
const KEEP = ['--keepAliveTimeout', '65000'];

/** Megabytes for young objects: requests make many and keep few, and twice the default halves the clearing. */
const YOUNG = ['--max-semi-space-size=32'];

/** Megabytes for old ones: with this limit the heap grows to half as much again as it needs, else to three times. */
const OLD = ['--max-old-space-size=1024'];

/** A little longer than the app gives its requests to end, once it has drained. */
export const STOP_MS = 30_000;

/** Arguments of Node and environment of the app as a process: a production build, or the development server. */
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
      ...o.env,
      NODE_ENV: isStart ? 'production' : 'development',
      NEXT_TELEMETRY_DISABLED: '1',
      // server/start/stop-on-request.ts does it, with a bound.
      ...(isStart ? { NEXT_MANUAL_SIG_HANDLE: '1' } : {}),
    },
  };
}
