import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { ensureVerifier } from '@/scripts/ensure-verifier';
import { isolatedEnv } from '@/scripts/isolated-env';

/** How a command ended, and all that it printed. */
export type Ended = { code: number; output: string };

/** Runs `quittance-verify` in a folder, without settings, as somebody without this service would. */
export function runVerify(dir: string, args: string[]): Promise<Ended> {
  return runNode([resolve(ensureVerifier()), ...args], { cwd: dir, env: {} });
}

/** Runs the second verifier, which is written in Python, in a folder. */
export function runPythonVerify(dir: string, args: string[]): Promise<Ended> {
  const script = resolve('docs/verify-independently/verify.py');
  return run('python3', [script, ...args], { cwd: dir, env: {} });
}

/** Runs node until it ends. */
export function runNode(
  args: string[],
  o: { cwd: string; env: Record<string, string> },
): Promise<Ended> {
  return run(process.execPath, args, o);
}

async function run(
  program: string,
  args: string[],
  o: { cwd: string; env: Record<string, string> },
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: o.cwd,
    env: { ...process.env, ...isolatedEnv(), ...o.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve(exit ?? -1));
  });
  return { code, output };
}
