import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimRunDir, notePid, releaseRunDir, stopNoted } from './stack-pids';

let runDir: string;
let child: ChildProcess;
let pid: number;

beforeEach(() => {
  runDir = mkdtempSync(join(tmpdir(), 'quittance-run-'));
  const wait = 'setTimeout(() => {}, 600_000)';
  child = spawn(process.execPath, ['-e', wait], { detached: true, stdio: 'ignore' });
  pid = child.pid ?? 0;
});
afterEach(() => {
  child.kill('SIGKILL');
  rmSync(runDir, { recursive: true, force: true });
});

const ended = () => child.exitCode !== null || child.signalCode !== null;
const settle = () => new Promise((resolve) => setTimeout(resolve, 100));

describe('noted processes', () => {
  it('are ended by the next start, and forgotten', async () => {
    notePid({ runDir, name: 'chain', pid });
    expect(await claimRunDir(runDir)).toEqual(['chain']);
    await expect.poll(ended).toBe(true);
    releaseRunDir(runDir);
    expect(readdirSync(runDir)).toEqual([]);
  });

  it('are left alone when the number belongs to another process now', async () => {
    notePid({ runDir, name: 'chain', pid });
    const file = join(runDir, 'chain.json');
    const note = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...note, started: 'earlier' }));
    expect(await stopNoted(runDir)).toEqual([]);
    await settle();
    expect(ended()).toBe(false);
  });

  it('do not block a start when a note is incomplete', async () => {
    writeFileSync(join(runDir, 'chain.json'), '{"pid":');
    expect(await stopNoted(runDir)).toEqual([]);
    expect(readdirSync(runDir)).toEqual([]);
  });

  it('keep out a second launcher as long as the first lives', async () => {
    notePid({ runDir, name: 'launcher', pid });
    await expect(claimRunDir(runDir)).rejects.toThrow(/already running/);
    expect(ended()).toBe(false);
  });

  it('are taken over from a dead launcher', async () => {
    notePid({ runDir, name: 'launcher', pid });
    child.kill('SIGKILL');
    await expect.poll(ended).toBe(true);
    expect(await claimRunDir(runDir)).toEqual([]);
  });
});
