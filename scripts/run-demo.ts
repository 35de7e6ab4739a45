import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopNoted } from '@/devnet/stack-pids';
import { buildForStack } from './build-app';
import { isolatedEnv } from './isolated-env';
import { onStopRequest } from './on-stop-request';
import { pickPorts } from './pick-ports';
import { runService } from './run-service';

/** Where a story finds the service, and a folder for what it leaves. */
export type DemoPlace = { baseUrl: string; rpcUrl: string; gatewayUrl: string; outDir: string };

export type Demo = {
  /** As in `npm run demo`. */
  command: string;
  /** What is not real about it, in one line. */
  warning: string;
  /** Loads the story once the settings are ready; it resolves to whether all that it checked held. */
  story: () => Promise<(place: DemoPlace, say: (line: string) => void) => Promise<boolean>>;
};

/**
 * Runs a demo: the whole service on free ports and a throw-away folder, and a story on it, after which
 * the process ends. `--keep` leaves it all running; `--stop <folder>` ends what was left so.
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
    throw new Error(`${demo.command} knows --keep and --stop <folder>, not ${option}.`);
  await buildForStack((line) => console.log(`          ${line}`));
  const place = mkdtempSync(join(tmpdir(), 'quittance-demo-'));
  // PostgreSQL may run as another user, who must get through.
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

/** bigint-buffer warns that it runs without its native half, which is wanted. */
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

/** `fetch failed` alone says nothing. Its cause does. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${explain(error.cause)})`;
}
