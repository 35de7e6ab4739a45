import { spawn } from 'node:child_process';
import { childEnv } from '../environment';

/** Runs a program of node_modules with Node. `output` has the text of both output streams. */
export async function run(
  script: string,
  args: string[],
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [script, ...args], {
    env: childEnv({ FORCE_COLOR: '0', NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number>((resolve) =>
    child.once('close', (exit) => resolve(exit ?? 1)),
  );
  return { code, output };
}

/** The output lines of a failed tool. Empty if it passed. */
export async function faultsOf(script: string, args: string[]): Promise<string[]> {
  const { code, output } = await run(script, args);
  return code === 0 ? [] : output.trimEnd().split('\n');
}
