import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';

const PROGRAM = `"${process.execPath}" --import tsx scripts/on-stop-request.fixture.ts`;

/** Runs a shell command whose output goes to a file. `output` waits for a text in it. */
function shell(command: string) {
  const dir = mkdtempSync(join(tmpdir(), 'stop-request-'));
  const log = join(dir, 'log');
  const child = spawn('sh', ['-c', `{ ${command}; } > "${log}" 2>&1`], { stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = async (wanted: RegExp): Promise<string> => {
    for (let tries = 0; tries < 600; tries += 1) {
      const text = tries === 0 ? '' : readFileSync(log, 'utf8');
      if (wanted.test(text)) return text;
      await sleep(50);
    }
    throw new Error(`never saw ${wanted.source}: ${readFileSync(log, 'utf8')}`);
  };
  return { child, ended, output, clean: () => rmSync(dir, { recursive: true }) };
}

it('stops once and without an error when Ctrl-C arrives from the terminal and from npm', async () => {
  const run = shell(`exec ${PROGRAM}`);
  await run.output(/ready/);
  run.child.kill('SIGINT');
  await run.output(/stopping/);
  run.child.kill('SIGINT');
  run.child.kill('SIGTERM');
  expect(await run.ended).toBe(0);
  expect((await run.output(/stopped/)).match(/^stop.*$/gm)).toEqual([
    'stopping (SIGINT)',
    'stopped',
  ]);
  run.clean();
});

it('stops when the command that started it was killed', async () => {
  const run = shell(`${PROGRAM}; true`);
  const pid = Number(/ready (\d+)/.exec(await run.output(/ready \d+/))?.[1]);
  expect(pid).not.toBe(run.child.pid);
  run.child.kill('SIGKILL');
  expect(await run.output(/stopped/)).toContain('the command that started this ended');
  run.clean();
});
