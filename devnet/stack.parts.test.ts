import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledParts, bundleProgram } from '@/tests/harness/bundle-program';
import { freePort } from './free-port';
import { isAlive } from './postgres/find-running';
import { stopNoted } from './stack-pids';

const PARTS = ['chain', 'postgres', 'runner', 'storage'];
const launches: Launch[] = [];
let dataDir: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'quittance-stack-'));
  chmodSync(dataDir, 0o755);
  env = {
    ...process.env,
    QUITTANCE_DATA_DIR: dataDir,
    CHAIN_PORT: String(await freePort(2)),
    POSTGRES_PORT: String(await freePort()),
    STORAGE_PORT: String(await freePort()),
    RUNNER_PORT: String(await freePort()),
    RATES_PORT: String(await freePort()),
    PORT: String(await freePort()),
  };
});
afterAll(async () => {
  // A test that failed in the middle leaves its launcher.
  for (const { process: child } of launches) child.kill('SIGKILL');
  await stopNoted(join(dataDir, 'run'));
  rmSync(dataDir, { recursive: true, force: true });
});

type Launch = { process: ChildProcess; output(): string; ended: Promise<number | null> };

async function launch(): Promise<Launch> {
  const program = await bundleProgram('devnet/stack.fixture.ts');
  // Its own process group, like a terminal creates for a command.
  const child = spawn(process.execPath, [program, await bundledParts()], {
    env,
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const launched = { process: child, output: () => output, ended };
  launches.push(launched);
  return launched;
}

async function until(what: string, held: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    if (held()) return;
    await sleep(100);
  }
  throw new Error(`it never happened that ${what}`);
}

async function start(): Promise<Launch> {
  const launched = await launch();
  await until(`the stack was ready: ${launched.output()}`, () => {
    if (launched.process.exitCode !== null) throw new Error(launched.output());
    return /^ready$/m.test(launched.output());
  });
  return launched;
}

/** A terminal sends the signal to the whole group. */
function pressCtrlC(launched: Launch): void {
  process.kill(-(launched.process.pid ?? 0), 'SIGINT');
}

function groupOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}

function pids(): Record<string, number> {
  const names = PARTS.map((name) => {
    const text = readFileSync(join(dataDir, 'run', `${name}.json`), 'utf8');
    return [name, (JSON.parse(text) as { pid: number }).pid] as const;
  });
  return Object.fromEntries(names);
}

const minter = () => readFileSync(join(dataDir, 'keys', 'minter.json'), 'utf8');

describe('the embedded stack', () => {
  it('leaves no process behind after Ctrl-C', { timeout: 240_000 }, async () => {
    const stack = await start();
    const running = pids();
    for (const name of PARTS) expect(isAlive(running[name] ?? 0), name).toBe(true);
    // The terminal must reach the launcher alone, which ends the parts in their order.
    if (process.platform === 'linux')
      for (const name of PARTS) expect(groupOf(running[name] ?? 0), name).toBe(running[name]);
    pressCtrlC(stack);
    expect(await stack.ended).toBe(0);
    for (const name of PARTS) expect(isAlive(running[name] ?? 0), name).toBe(false);
    expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
  });

  it('recovers after its launcher was killed', { timeout: 480_000 }, async () => {
    const first = await start();
    const [orphans, key] = [pids(), minter()];
    first.process.kill('SIGKILL');
    await first.ended;
    for (const name of PARTS) expect(isAlive(orphans[name] ?? 0), name).toBe(true);

    const second = await start();
    expect(second.output()).toContain('stopped what an earlier start left behind');
    const running = pids();
    // The process that inherits an ended one may take a moment to notice it.
    await until('what was left behind is gone', () =>
      PARTS.every((name) => !isAlive(orphans[name] ?? 0)),
    );
    for (const name of PARTS) expect(isAlive(running[name] ?? 0), name).toBe(true);
    expect(minter()).toBe(key);

    const third = await launch();
    expect(await third.ended).toBe(1);
    expect(third.output()).toContain('is already running');
    expect(pids()).toEqual(running);

    process.kill(running['storage'] ?? 0, 'SIGKILL');
    process.kill(running['postgres'] ?? 0, 'SIGKILL');
    await until('both were started again', () => {
      try {
        const now = pids();
        return ['storage', 'postgres'].every(
          (name) => now[name] !== running[name] && isAlive(now[name] ?? 0),
        );
      } catch {
        // Between the end of one and the note of the next there is no file.
        return false;
      }
    });
    pressCtrlC(second);
    expect(await second.ended).toBe(0);
    expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
  });
});
