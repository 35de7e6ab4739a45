import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { ensureVerifier } from '@/scripts/ensure-verifier';
import { isolatedEnv } from '@/scripts/isolated-env';

/** How a command ended, and all its output. */
export type Ended = { code: number; output: string };

/**
 * Runs `quittance-verify` in a folder, without settings, like a third party without this service.
 */
export function runVerify(dir: string, args: string[]): Promise<Ended> {
  return runNode([resolve(ensureVerifier()), ...args], { cwd: dir, env: {} });
}

/** Runs the second verifier, which is written in Python, in a folder. */
export function runPythonVerify(dir: string, args: string[]): Promise<Ended> {
  const script = resolve('docs/verify-independently/verify.py');
  return runProgram('python3', [script, ...args], { cwd: dir, env: {} });
}

/**
 * Runs the commands of docs/verify.md for a receipt or a statement, as printed there, against a
 * service that has it. Runs them in a folder and returns their output. Throws when one of them
 * fails.
 */
export async function runPage(
  service: { baseUrl: string; rpcUrl: string },
  o: { dir: string } & ({ receiptId: string } | { statementId: string }),
): Promise<string> {
  const { dir } = o;
  const [id, others] = 'receiptId' in o ? [o.receiptId, 'statement'] : [o.statementId, 'receipt'];
  const [, section = ''] = readFileSync('docs/verify.md', 'utf8').split('\n## ');
  const commands = [...section.matchAll(/```sh\n([^]*?)```/g)]
    .flatMap(([, block = '']) => block.split('\n'))
    .filter((line) => !line.includes(others))
    .join('\n')
    .replaceAll('--rpc https://…', `--rpc ${service.rpcUrl}`)
    .replaceAll('https://…', service.baseUrl)
    .replaceAll(/\{(receipt|statement)_id\}/g, id);
  const { stdout } = await promisify(execFile)('bash', ['-ec', commands], {
    cwd: dir,
    env: { ...process.env, NO_PROXY: '*', no_proxy: '*' },
  });
  return stdout;
}

/** Runs node until it ends. */
export function runNode(
  args: string[],
  o: { cwd: string; env: Record<string, string> },
): Promise<Ended> {
  return runProgram(process.execPath, args, o);
}

/** Runs a program until it ends, with no settings but those of `env`. */
export async function runProgram(
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
