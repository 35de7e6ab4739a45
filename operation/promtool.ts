import { spawnSync } from 'node:child_process';

/**
 * Whether this machine can check metrics and rules with Prometheus's own tool (Debian's package
 * `prometheus`).
 */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool && process.env['CI'])
  throw new Error('tests of metrics and alerts need promtool, of the package prometheus');
if (!hasPromtool)
  process.stdout.write('left out: no promtool on this machine, its checks of metrics and alerts\n');
