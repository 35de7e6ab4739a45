import { execFileSync, spawnSync } from 'node:child_process';
import { restartChanged, startSecondApp } from './start-app';
import type { TestService } from './start-service';

export type SkewedApp = TestService & { stop(): Promise<void> };

/** Whether this machine can run a process with a wrong clock (Debian's package `faketime`). */
export const canSkew = spawnSync('faketime', ['--version']).status === 0;
if (!canSkew && process.env['CI'])
  throw new Error('tests of wrong clocks need the package faketime');
if (!canSkew)
  process.stdout.write('left out: no faketime on this machine, processes with wrong clocks\n');

/**
 * The environment of a process whose clock is `by` off, for example `+1h` or `-2d`. Elapsed time is
 * unchanged, like on a machine whose clock is wrong.
 */
function skewedEnv(by: string): Record<string, string> {
  const preload = execFileSync('faketime', ['-m', '-f', '+0s', 'printenv', 'LD_PRELOAD'], {
    encoding: 'utf8',
  });
  return { LD_PRELOAD: preload.trim(), FAKETIME: by, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}

/** A second process of the app, whose clock is off. */
export function startSkewed(service: TestService, by: string): Promise<SkewedApp> {
  return startSecondApp({ ...service, appEnv: { ...service.appEnv, ...skewedEnv(by) } });
}

/** The app itself, restarted with a clock that is off. */
export function restartSkewed(service: TestService, by: string): Promise<SkewedApp> {
  return restartChanged(service, skewedEnv(by));
}
