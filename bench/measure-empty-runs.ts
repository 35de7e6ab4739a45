import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@/devnet/free-port';
import { startRunner } from '@/devnet/runner/start-runner';

/** Time for 200 runs of `steps` empty steps on the embedded runner, in ms. */
export async function measureEmptyRuns(databaseUrl: string, steps: number): Promise<number> {
  const [appPort, runnerPort] = [await freePort(), await freePort()];
  const app = `http://127.0.0.1:${appPort}`;
  const runner = await startRunner({
    databaseUrl,
    port: runnerPort,
    appUrl: `${app}/api/inngest`,
  });
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'bench/empty-app.ts', String(appPort), runner.url, String(steps)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    await once(child.stdout, 'data');
    await sleep(3_000); // The runner finds the app at its next poll.
    const started = performance.now();
    await fetch(`${app}/send`);
    for (;;) {
      if (Number(await (await fetch(`${app}/ended`)).text()) >= 200) break;
      await sleep(20);
    }
    return performance.now() - started;
  } finally {
    child.kill();
    await runner.close();
  }
}
