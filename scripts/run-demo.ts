import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopNoted } from '@/devnet/stack-pids';
import { buildForStack } from './build-app';
import { isolatedEnv } from './isolated-env';
import { onStopRequest } from './on-stop-request';
import { pickPorts } from './pick-ports';
import { runService } from './run-service';

/** The service's addresses for a story, and a folder for its files. */
export type DemoPlace = { baseUrl: string; rpcUrl: string; gatewayUrl: string; outDir: string };

export type Demo = {
  /** For example `npm run demo`. */
  command: string;
  /** The line that says what is not real about it. */
  warning: string;
  /** Loads the story once the settings are ready. It resolves to whether every check passed. */
  story: () => Promise<(place: DemoPlace, say: (line: string) => void) => Promise<boolean>>;
};

/**
 * Runs a demo: the whole service on free ports with a temporary folder, and a story on it. Then the
 * process ends. `--keep` leaves everything running. `--stop <folder>` ends a kept service.
 */
export async function runDemoCommand(demo: Demo): Promise<never> {
  try {
    process.exit(await main(demo));
  } catch (error) {
    console.error(explain(error));
    process.exit(1);
  }
}

async function main(demo: Demo): Promise<number> {
  const [option, folder] = process.argv.slice(2);
  if (option === '--stop' && folder !== undefined) return stop(folder);
  if (option !== undefined && option !== '--keep')
    throw new Error(`${demo.command} has the options --keep and --stop <folder>, not ${option}.`);
  await buildForStack((line) => console.log(`          ${line}`));
  const place = mkdtempSync(join(tmpdir(), 'quittance-demo-'));
  // PostgreSQL may run as another user, who needs access to this folder.
  chmodSync(place, 0o755);
  const dataDir = join(place, 'data');
  const stopped = new AbortController();
  onStopRequest((why) => {
    stopped.abort();
    console.log(`stopping (${why})`);
    void stop(place).then(() => process.exit(130));
  });
  console.log(`LOCAL TEST CHAIN: ${demo.warning}`);
  const service = await runService({
    mode: 'start',
    env: { ...isolatedEnv(), ...(await pickPorts()), QUITTANCE_DATA_DIR: dataDir },
    durable: false,
    say: (line) => console.log(`          ${line}`),
    onFatal: (line) => console.error(line),
    signal: stopped.signal,
  });
  const { chain, storage } = service.stack.settings;
  let held = false;
  try {
    const tell = await quietly(demo.story);
    held = await tell(
      { baseUrl: service.baseUrl, rpcUrl: chain.url, gatewayUrl: storage.url, outDir: place },
      (line) => console.log(line),
    );
  } finally {
    if (option !== '--keep') {
      await service.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  if (option === '--keep') {
    console.log(`\nstill running: ${service.baseUrl} (chain ${chain.url}, storage ${storage.url})`);
    console.log(`to stop it:    ${demo.command} -- --stop ${place}`);
  }
  return held ? 0 : 1;
}

/** Hides bigint-buffer's warning that it runs without its native half, which is intended. */
async function quietly<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = () => undefined;
  return load().finally(() => (console.warn = warn));
}

async function stop(place: string): Promise<number> {
  const ended = await stopNoted(join(place, 'data', 'run'));
  rmSync(join(place, 'data'), { recursive: true, force: true });
  console.log(ended.length === 0 ? 'nothing was running' : `stopped ${ended.join(', ')}`);
  return 0;
}

/** `fetch failed` alone explains nothing. Its cause does. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${explain(error.cause)})`;
}
