import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { collectCommands } from '@/scripts/checks/collect-commands';
import { listFiles } from '@/scripts/checks/list-files';
import { childEnv } from '@/scripts/environment';
import { isolatedEnv } from '@/scripts/isolated-env';
import { runProgram, type Ended } from './run-command';

/** The shell blocks below a heading of a document, in order, up to the next heading. */
export function documentedBlocks(file: string, heading: string): string[] {
  const [, below = ''] = readFileSync(file, 'utf8').split(`\n${heading}\n`);
  const [section = ''] = below.split(/\n#{2,3} /);
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) =>
    // Inside a list a block stands indented.
    block.replaceAll(/^ +/gm, ''),
  );
}

/** Runs a block as it stands. Throws Error with all that it said when a line of it fails. */
export function runBlock(block: string, env: Record<string, string>): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-u', '-c', block], {
    env: childEnv({ ...isolatedEnv(), ...env }),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${block}ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

let printed: Set<string> | undefined;

/**
 * Runs a command as a document prints it. `values` replaces its placeholders and addresses, `env` adds settings. Throws
 * Error when no document prints the command, or when a value has nothing to replace.
 */
export async function runPrinted(
  command: string,
  o: { values?: Record<string, string>; env?: Record<string, string>; cwd?: string } = {},
): Promise<Ended> {
  printed ??= new Set(allPrinted());
  if (!printed.has(command)) throw new Error(`no document prints ${command}`);
  let line = command;
  for (const [placeholder, value] of Object.entries(o.values ?? {})) {
    if (!line.includes(placeholder)) throw new Error(`${command} has no ${placeholder}`);
    line = line.replaceAll(placeholder, value);
  }
  return runProgram('bash', ['-euo', 'pipefail', '-c', line], {
    cwd: o.cwd ?? process.cwd(),
    env: { NO_PROXY: '*', no_proxy: '*', ...o.env },
  });
}

function allPrinted(): string[] {
  return listFiles()
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => collectCommands(file, readFileSync(file, 'utf8')))
    .map(({ command }) => command);
}
