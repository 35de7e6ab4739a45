import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { NO_FAULTS, type Runner, type RunnerOptions } from './runner';
import { createRunnerServer } from './serve';
import { openStore } from './store';
import { loadFunctions, startSync } from './sync-app';
import { startWork } from './work';

/**
 * Starts a durable server for the Inngest protocol over the PostgreSQL schema `runner`, and drives
 * the app's functions. It may be killed at any moment, because everything it confirmed is in the
 * database.
 */
export async function startRunner(
  options: RunnerOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const log = options.log ?? ((line: string) => console.log(`runner: ${line}`));
  const runner: Runner = {
    signingKey: null,
    eventKey: null,
    checkpointing: true,
    concurrency: 14,
    leaseMs: 15_000,
    graceMs: 5000,
    pollMs: 5000,
    backoffMs: null,
    mostSleepMs: null,
    ...options,
    log,
    pool: await openStore(options.databaseUrl, log),
    owner: randomUUID(),
    functions: null,
    refused: null,
    faults: { ...NO_FAULTS },
    awayUntil: 0,
    stopping: false,
    cut: new AbortController(),
    wake: () => undefined,
  };
  // Every call in flight listens to it.
  setMaxListeners(0, runner.cut.signal);
  await loadFunctions(runner);
  const server = createRunnerServer(runner);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const work = startWork(runner);
  const sync = startSync(runner);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await sync.stop();
      await work.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await runner.pool.end();
    },
  };
}
